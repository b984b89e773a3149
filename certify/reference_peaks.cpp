// SPDX-License-Identifier: Apache-2.0
#include "certify/reference_peaks.h"

#include "cmake/embedded_file.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace gpucert {

namespace reference_figures {
extern const std::vector<embedded_file> embedded_files;
}

namespace {

const nlohmann::json &figures() {
  static const nlohmann::json document = [] {
    for (const embedded_file &file : reference_figures::embedded_files)
      if (file.name == "gpus")
        return nlohmann::json::parse(file.text);
    throw std::logic_error("results/reference/gpus.json is not built in");
  }();
  return document;
}

/// The key of a kind's peak in the file.
std::string peak_key(std::string_view kind) {
  const bool is_rate_of_bytes = kind == "memory" || kind == "copy";
  return std::string(kind) + (is_rate_of_bytes ? "_gb_per_s" : "_tflops");
}

} // namespace

std::optional<tripwire> find_tripwire(std::string_view gpu_name, std::string_view kind) {
  const auto &tripwires = figures().at("tripwires");
  const auto share = tripwires.find(std::string(kind));
  if (share == tripwires.end())
    return std::nullopt;
  for (const auto &gpu : figures().at("gpus")) {
    if (gpu_name.find(gpu.at("name").get<std::string>()) == gpu_name.npos)
      continue;
    const auto peak = gpu.find(peak_key(kind));
    if (peak == gpu.end())
      return std::nullopt;
    return tripwire{peak->get<double>(), share->at("share").get<double>(), gpu.at("source").get<std::string>()};
  }
  return std::nullopt;
}

} // namespace gpucert
