// SPDX-License-Identifier: Apache-2.0
// gpucert explain: names the finding and the action for messages that somebody pasted.
//
// The text becomes a small capture, which every reader and check takes as it takes any other.
#include "certify/command_line.h"
#include "certify/json_text.h"
#include "certify/pasted_text.h"
#include "certify/report.h"
#include "certify/stack_json.h"
#include "certify/standard_output.h"
#include "certify/text_page.h"
#include "certify/verb.h"
#include "node/evidence.h"
#include "node/scratch_folder.h"
#include "node/wrong_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace gpucert {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20; // of all input; more is not read

/// Reads on to `text` until the end or the limit. Throws unreadable_input.
void read_descriptor_to(int descriptor, std::string_view name, std::string &text) {
  std::array<char, std::size_t{64} << 10> block{};
  while (text.size() < most_bytes) {
    const ssize_t got = ::read(descriptor, block.data(), std::min(block.size(), most_bytes - text.size()));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      throw unreadable_input(fmt::format("{}: {}", name, std::strerror(errno)), "name files that can be read");
    if (got == 0)
      break;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  text += '\n';
}

std::string read_input(const std::vector<std::string> &files) {
  std::string text;
  for (const std::string &name : files) {
    if (name == "-") {
      read_descriptor_to(STDIN_FILENO, "standard input", text);
      continue;
    }
    const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0 && errno == ENOENT)
      throw wrong_input(fmt::format("{}: no such file", name), "name an existing one, or - for standard input");
    if (descriptor < 0)
      throw unreadable_input(fmt::format("{}: {}", name, std::strerror(errno)), "name files that can be read");
    struct closer {
      int descriptor;
      ~closer() { ::close(descriptor); }
    } const at_end{descriptor};
    read_descriptor_to(descriptor, name, text);
  }
  return text;
}

stack_report judge_pasted(std::string_view text) {
  const scratch_folder folder("gpucert-explain");
  for (const auto &[name, content] : sort_pasted_text(text)) {
    const std::filesystem::path place = folder.path() / name;
    std::filesystem::create_directories(place.parent_path());
    std::ofstream file(place, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close(); // so that a full disk shows
    if (!file)
      throw unreadable_input(fmt::format("{}: cannot be written", place.string()),
                             "set TMPDIR to a folder with more space");
  }
  host::options options;
  options.kind = host_kind::capture;
  options.folder = folder.path();
  host node(options);
  stack_report stack = judge_stack(read_evidence(node, {}), {}, catalogue::built_in());
  stack.unknown.clear(); // a text lacks nearly every fact of a node: nothing worth saying
  return stack;
}

void conclude(stack_report &stack) {
  const auto has = [&](severity level) {
    return std::any_of(stack.findings.begin(), stack.findings.end(),
                       [&](const reported_finding &found) { return !found.is_explained && found.level == level; });
  };
  stack.is_no_gpu_node = false;
  stack.status = stack.findings.empty() ? stack_status::unknown
                 : has(severity::fail)  ? stack_status::fail
                 : has(severity::warn)  ? stack_status::warn
                                        : stack_status::pass;
  stack.summary =
      stack.findings.empty() ? "nothing in this text is a message that gpucert knows" : stack.findings.front().title;
}

void write_finding(text_page &out, const reported_finding &found) {
  const finding_definition *known = catalogue::built_in().find(found.id);
  out.heading(fmt::format("{}{}: {}", found.is_explained ? "Consequence, " : "", name_of(found.level), found.id));
  out.line(2, found.title);
  if (known != nullptr)
    out.field("meaning", known->meaning);
  out.field("found", found.saw);
  out.field("expected", found.expected);
  if (found.inferred_because)
    out.field("inferred", *found.inferred_because);
  for (const std::string &note : found.notes)
    out.field("note", note);
  if (known != nullptr && !found.is_explained)
    out.field("to be sure", known->evidence);
}

std::string as_text(const stack_report &stack) {
  text_page out;
  out.line(0, stack.summary);
  for (const reported_finding &found : stack.findings)
    write_finding(out, found);
  if (!stack.findings.empty()) {
    out.heading(fmt::format("What to do: {} ({})", stack.diagnosis.action_title, stack.diagnosis.action));
    int number = 0;
    for (const action_step &step : stack.diagnosis.steps) {
      out.line(2, fmt::format("{}. {}{}", ++number, step.text, step.why.empty() ? "" : " (" + step.why + ")"));
      if (step.command)
        out.line(5, "$ " + *step.command);
    }
  }
  out.heading("A text shows a part of the node. On the node itself:");
  out.line(2, "$ gpucert check");
  out.line(2, "$ gpucert collect DIR");
  return out.take();
}

exit_code run_explain(const std::vector<std::string> &arguments) {
  command_line line("explain");
  std::vector<std::string> files;
  std::string format = "text";
  line.options().add_option("files", files)->check(not_empty());
  add_format_option(line.options(), format, {"text", "json"});
  if (!line.parse(arguments))
    return exit_code::pass;
  if (files.empty())
    files.emplace_back("-");
  stack_report stack = judge_pasted(read_input(files));
  conclude(stack);
  const report run = make_report("pasted text", false, std::move(stack));
  print(format == "json" ? json_text(stack_to_json(run.stack, static_cast<int>(run.code()))) : as_text(run.stack));
  return run.code();
}

const verb_registration registration{{"explain", run_explain}};

} // namespace
} // namespace gpucert
