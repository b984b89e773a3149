// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/thread_order.h"

#include <charconv>

namespace gpucert::simulator {

std::optional<thread_order> thread_order::parse(std::string_view text) {
  if (text == "ascending")
    return thread_order{};
  const auto colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  if (colon == text.npos || (word != "fair" && word != "unfair"))
    return std::nullopt;
  thread_order order{word == "fair" ? order_kind::fair : order_kind::unfair, 0};
  const std::string_view seed = text.substr(colon + 1);
  const auto [stop, error] = std::from_chars(seed.data(), seed.data() + seed.size(), order.seed);
  if (error != std::errc{} || stop != seed.data() + seed.size())
    return std::nullopt;
  return order;
}

} // namespace gpucert::simulator
