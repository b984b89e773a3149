// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_headers.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <optional>

namespace gpucert {
namespace {

fact<std::string> find_headers(host &node) {
  const fact<std::vector<std::string>> kernels = node.peek_folder("/lib/modules");
  return kernels.then(
      [&](const std::vector<std::string> &names) {
        std::string list;
        for (const std::string &kernel : names)
          if (node.exists(fmt::format("/lib/modules/{}/build", kernel)))
            list += kernel + "\n";
        // An empty document would mean that nobody answered.
        return std::optional(list.empty() ? std::string("none\n") : list);
      },
      "");
}

} // namespace

fact<std::vector<std::string>> read_kernels_with_headers(host &node) {
  const fact<std::string> list = node.read_document("commands/kernel_headers.txt", [&] { return find_headers(node); });
  return list.then(
      [](std::string_view rest) {
        std::vector<std::string> kernels;
        while (!rest.empty())
          if (const std::string_view line = trim(take_line(rest)); !line.empty() && line != "none")
            kernels.emplace_back(line);
        return std::optional(std::move(kernels));
      },
      "");
}

} // namespace gpucert
