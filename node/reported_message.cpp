// SPDX-License-Identifier: Apache-2.0
#include "node/reported_message.h"

#include "node/message_table.h"
#include "node/text_lines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace gpucert {
namespace {

constexpr std::size_t most_of_a_line = std::size_t{64} << 10;
constexpr std::size_t least_of_a_line = 7;  // "[2]cuda": nothing shorter is a message
constexpr std::size_t most_of_a_text = 400; // of the line, around what was recognised
constexpr std::size_t most_a_topic = 8;     // of one source: programs in a loop repeat themselves

void lower(std::string_view line, std::string &lowered) {
  lowered.resize(line.size());
  std::transform(line.begin(), line.end(), lowered.begin(),
                 [](char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; });
}

bool holds(std::string_view line, std::string_view part) { return line.find(part) != line.npos; }

/// Where the row's first part stands, npos where the line is another message.
std::size_t find_row(std::string_view line, const message_row &row) {
  const std::size_t at = line.find(row.all_of.front());
  if (at == line.npos)
    return at;
  const bool holds_all =
      std::all_of(row.all_of.begin() + 1, row.all_of.end(), [&](std::string_view part) { return holds(line, part); });
  return holds_all && (row.none_of.empty() || !holds(line, row.none_of)) ? at : line.npos;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Whether what stands before a number makes it an error number: "error 803", "code=802(", "returned 35", "(100)".
bool leads_in(std::string_view before) {
  constexpr std::array<std::string_view, 14> words{"error ",  "error: ",  "error=",    "error (",     "error code ",
                                                   "code ",   "code: ",   "code=",     "code (",      "returned ",
                                                   "status ", "failed: ", "failure: ", "failed with "};
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return before.ends_with(word); }) ||
         (before.ends_with('[') && before.size() == 1);
}

/// The error numbers of CUDA in a line that speaks of CUDA.
template <class Take> void find_error_numbers(std::string_view line, Take take) {
  if (!holds(line, "cuda") && !holds(line, "cuinit"))
    return;
  for (std::size_t at = line.find_first_of("0123456789"); at != line.npos;) {
    std::size_t stop = at;
    int number = 0;
    for (; stop < line.size() && is_digit(line[stop]); ++stop)
      number = number < 10000 ? number * 10 + (line[stop] - '0') : number;
    const bool ends =
        stop == line.size() || (line[stop] != '.' && std::isalnum(static_cast<unsigned char>(line[stop])) == 0);
    if (ends && leads_in(line.substr(0, at)))
      for (const cuda_error_row &row : cuda_error_rows())
        if (row.number == number)
          take(row.topic, at);
    at = line.find_first_of("0123456789", stop);
  }
}

std::optional<driver_release> release_behind(std::string_view line, std::string_view words) {
  const auto at = line.find(words);
  return at == line.npos ? std::nullopt : driver_release::parse_prefix(trim(line.substr(at + words.size())));
}

/// Versions by the words that stand before them: {library's, module's}.
void read_versions(std::string_view lowered, reported_message &message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> words{
      {{"interface version ", "with driver version "}, // Fabric Manager
       {"dso version ", "kernel version "},            // TensorFlow
       {"user version ", "kernel version "},           // nvidia-nvswitch
       {"nvml library version: ", "kernel module version: "}}};
  for (const auto &[library, module] : words) {
    if (!message.library)
      message.library = release_behind(lowered, library);
    if (!message.module)
      message.module = release_behind(lowered, module);
  }
  constexpr std::string_view needs = "cuda>=";
  if (const auto at = lowered.find(needs); at != lowered.npos) {
    const std::string_view rest = lowered.substr(at + needs.size());
    const auto stop = std::min(rest.find_first_not_of("0123456789."), rest.size());
    message.needs_cuda = std::string(rest.substr(0, stop));
  }
}

/// The line, or of a long one what stands around the words.
std::string excerpt(std::string_view line, std::size_t at) {
  const std::size_t start = line.size() <= most_of_a_text ? 0 : at - std::min(at, most_of_a_text / 4);
  return std::string(trim(line.substr(start, most_of_a_text)));
}

class collector {
public:
  collector(std::string_view source, std::vector<reported_message> &found) : source_(source), found_(found) {}

  void take_line(std::string_view line) {
    if (line.size() < least_of_a_line)
      return;
    line = line.substr(0, most_of_a_line);
    lower(line, lowered_);
    const std::size_t first = found_.size();
    for (const message_row &row : message_rows())
      if (const std::size_t at = find_row(lowered_, row); at != std::string::npos)
        add(row.topic, line, at, first);
    find_error_numbers(lowered_, [&](message_topic topic, std::size_t at) { add(topic, line, at, first); });
  }

private:
  void add(message_topic topic, std::string_view line, std::size_t at, std::size_t first_of_line) {
    for (std::size_t index = first_of_line; index < found_.size(); ++index)
      if (found_[index].topic == topic)
        return;
    auto &count = counts_[static_cast<std::size_t>(topic)];
    if (count == most_a_topic)
      return;
    reported_message message{topic, std::string(source_), excerpt(line, at), {}, {}, {}};
    const bool is_known = std::any_of(found_.begin(), found_.end(), [&](const reported_message &other) {
      return other.topic == topic && other.source == message.source && other.text == message.text;
    });
    if (is_known)
      return;
    ++count;
    read_versions(lowered_, message);
    found_.push_back(std::move(message));
  }

  std::string_view source_;
  std::vector<reported_message> &found_;
  std::string lowered_;
  std::array<std::size_t, static_cast<std::size_t>(message_topic::headers_missing) + 1> counts_{};
};

} // namespace

std::string_view to_string(message_topic topic) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(message_topic::headers_missing) + 1> names{
      "version_mismatch",
      "tools_differ",
      "no_communication",
      "driver_not_loaded",
      "no_devices",
      "nvml_unknown_error",
      "blocked_by_system",
      "gpu_lost",
      "gpu_needs_reset",
      "host_library_missing",
      "library_missing",
      "tool_missing",
      "runtime_not_configured",
      "library_empty",
      "cdi_unresolvable",
      "cdi_path_missing",
      "device_file_missing",
      "unified_memory_missing",
      "stub_library",
      "driver_too_old",
      "no_driver_found",
      "no_cuda_device",
      "invalid_device",
      "unknown_cuda_error",
      "fabric_not_ready",
      "driver_combination",
      "compat_unsupported",
      "uncorrectable_ecc",
      "nvlink_error",
      "fabric_version_mismatch",
      "fabric_nothing_to_do",
      "gl_failed",
      "vgpu_incompatible",
      "module_not_found",
      "module_key_rejected",
      "module_wrong_format",
      "module_build_failed",
      "headers_missing"};
  return names[static_cast<std::size_t>(topic)];
}

bool is_from_container(const reported_message &message) {
  if (message.source.find("container") != std::string::npos)
    return true;
  for (const std::string_view words :
       {"OCI runtime", "docker:", "podman", "crio", "container process", "ctr:", "kubelet"})
    if (message.text.find(words) != std::string::npos)
      return true;
  return false;
}

void find_reported_messages(std::string_view source, std::string_view text, std::vector<reported_message> &found) {
  collector lines(source, found);
  while (!text.empty())
    lines.take_line(take_line(text));
}

const reported_message *find_message(const std::vector<reported_message> &messages, message_topic topic) {
  const auto found = std::find_if(messages.begin(), messages.end(),
                                  [&](const reported_message &message) { return message.topic == topic; });
  return found == messages.end() ? nullptr : &*found;
}

} // namespace gpucert
