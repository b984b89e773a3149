// SPDX-License-Identifier: Apache-2.0
#include "node/module_builds.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

// A build log of the driver is one or two MB; its last part names the error, its first line the kernel.
constexpr std::size_t most_log_bytes = std::size_t{16} << 20;
constexpr std::size_t most_builds = 256; // kernels of one log; with more the oldest are forgotten
constexpr std::string_view dkms_tree = "/var/lib/dkms";

/// The first word behind `mark`, without what closes it: "6.14.4-arch1-2" of "on kernel: 6.14.4-arch1-2 (x86_64)".
std::optional<std::string> word_behind(std::string_view line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == line.npos)
    return std::nullopt;
  std::string_view rest = line.substr(at + mark.size());
  std::string_view word = take_word(rest);
  while (!word.empty() && std::string_view("'\"`,;.:)").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return word.empty() ? std::nullopt : std::optional(std::string(word));
}

/// What the lines say of the build that runs at this point of the log.
struct running_build {
  std::optional<std::string> module;
  std::optional<std::string> version;
  std::optional<std::string> kernel;

  bool is_driver() const { return !module || module->starts_with("nvidia"); }
};

/// "nvidia/470.256.02" or "nvidia-srv/535.161.08" in a line of dkms or of a hook.
void note_module(std::string_view line, running_build &build) {
  for (const std::string_view mark : {"dkms install --no-depmod ", "dkms install ", "dkms build ", "Building module: "})
    if (const auto word = word_behind(line, mark)) {
      const auto slash = word->find('/');
      if (slash == word->npos || slash == 0)
        continue;
      build = {word->substr(0, slash), word->substr(slash + 1), word_behind(line, " -k ")};
      return;
    }
  // DKMS of Debian: "Loading new nvidia-535.161.08 DKMS files...", "Building for 5.15.0-43-generic"
  constexpr std::string_view loading = "Loading new ";
  if (const auto at = line.find(loading); at != line.npos && line.find(" DKMS files") != line.npos) {
    const std::string name = word_behind(line, loading).value_or("");
    const auto dash = name.rfind('-');
    if (!name.empty())
      build = {name.substr(0, dash), dash == name.npos ? std::nullopt : std::optional(name.substr(dash + 1)), {}};
  }
  for (const std::string_view mark : {"Building initial module for ", "Building for "})
    if (auto kernel = word_behind(line, mark))
      build.kernel = std::move(kernel);
}

constexpr std::array<std::string_view, 3> headers_words{"kernel headers for kernel", "kernel headers for this kernel",
                                                        "headers for kernel"};

/// The outcome that a line states.
std::optional<build_outcome> outcome_in(std::string_view line) {
  for (const std::string_view words : headers_words)
    if (contains_ignoring_case(line, words) && (contains_ignoring_case(line, "cannot be found") ||
                                                contains_ignoring_case(line, "does not seem to be installed")))
      return build_outcome::no_headers;
  if (contains_ignoring_case(line, "bad return status for module build") ||
      contains_ignoring_case(line, "bad exit status from") ||
      (contains_ignoring_case(line, "building dkms module") && contains_ignoring_case(line, "fail")) ||
      contains_ignoring_case(line, "building rpms failed") ||
      (contains_ignoring_case(line, "nvidia") && contains_ignoring_case(line, "kernel module") &&
       contains_ignoring_case(line, "failed to build")) ||
      (contains_ignoring_case(line, "dkms install") && contains_ignoring_case(line, "' exited ")))
    return build_outcome::failed;
  if (contains_ignoring_case(line, "dkms: install completed") || line.ends_with("nvidia.ko: OK"))
    return build_outcome::succeeded;
  return std::nullopt;
}

std::optional<std::string> kernel_in(std::string_view line) {
  for (const std::string_view mark :
       {"on kernel: ", "headers for kernel ", "headers for kernel: ", "for kernel ", "for kernel: ", " -k "})
    if (auto kernel = word_behind(line, mark); kernel && kernel->find_first_of("0123456789") != std::string::npos)
      return kernel;
  return std::nullopt;
}

void keep_last(std::vector<module_build> &builds, module_build build) {
  const auto same = std::find_if(builds.begin(), builds.end(),
                                 [&](const module_build &other) { return other.kernel == build.kernel; });
  // A hook repeats in its own words that dkms failed; dkms' own line, the first, says why.
  if (same != builds.end() && same->outcome == build_outcome::no_headers && build.outcome == build_outcome::failed)
    return;
  if (same != builds.end())
    builds.erase(same);
  else if (builds.size() == most_builds)
    builds.erase(builds.begin());
  builds.push_back(std::move(build));
}

/// The failed build that DKMS left in its tree: a build that succeeds moves its log away. The kernel, and what failed.
fact<std::string> describe_make_logs(host &node) {
  std::string text;
  for (const std::string &module : node.peek_folder(dkms_tree).value.value_or(std::vector<std::string>())) {
    const std::string folder = fmt::format("{}/{}", dkms_tree, module);
    if (!module.starts_with("nvidia"))
      continue;
    for (const std::string &version : node.peek_folder(folder).value.value_or(std::vector<std::string>())) {
      const std::string path = fmt::format("{}/{}/build/make.log", folder, version);
      const fact<std::string> log = node.exists(path) ? node.peek_file(path, most_log_bytes) : fact<std::string>();
      if (!log.is_known())
        continue;
      std::string_view rest = *log;
      const auto kernel = word_behind(take_line(rest), "for kernel ");
      std::string_view error;
      while (!rest.empty() && error.empty())
        if (const std::string_view line = take_line(rest); contains_ignoring_case(line, "error"))
          error = trim(line);
      if (kernel && !error.empty())
        text += fmt::format("dkms build {}/{} -k {}\nBad return status for module build on kernel: {}\n{}: {}\n",
                            module, version, *kernel, *kernel, path, error.substr(0, 300));
    }
  }
  return text.empty() ? fact<std::string>::absent(std::string(dkms_tree))
                      : fact<std::string>::known(std::move(text), std::string(dkms_tree));
}

} // namespace

std::vector<module_build> parse_module_builds(std::string_view text, std::string_view source) {
  std::vector<module_build> builds;
  running_build now;
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    note_module(line, now);
    const auto outcome = outcome_in(line);
    const auto named = outcome ? kernel_in(line) : std::nullopt;
    if (outcome && now.is_driver())
      keep_last(builds, {named ? named : now.kernel, now.version, *outcome, std::string(source),
                         std::string(line.substr(0, 300))});
  }
  return builds;
}

std::vector<module_build> read_module_builds(host &node) {
  std::vector<fact<std::string>> texts{
      node.read_file("/var/log/apt/term.log"), node.read_file("/var/log/pacman.log"),
      node.read_file("/var/log/akmods/akmods.log"),
      node.read_document("commands/dkms_make_log.txt", [&] { return describe_make_logs(node); })};
  if (node.kind() == host_kind::capture) {
    texts.push_back(node.read_document("commands/dkms_status.txt"));
    for (const std::string &name : node.documents("symptoms"))
      texts.push_back(node.read_document(name));
  }
  std::vector<module_build> builds;
  for (const fact<std::string> &text : texts)
    if (text.is_known())
      for (module_build &build : parse_module_builds(*text, text.source))
        keep_last(builds, std::move(build));
  return builds;
}

} // namespace gpucert
