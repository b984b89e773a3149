// SPDX-License-Identifier: Apache-2.0
// gpucert explain: names the finding and the action for messages that somebody pasted.
#include "certify/command_line.h"
#include "certify/json_text.h"
#include "certify/pasted_report.h"
#include "certify/report.h"
#include "certify/stack_json.h"
#include "certify/standard_output.h"
#include "certify/text_page.h"
#include "certify/text_view.h"
#include "certify/verb.h"
#include "node/wrong_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
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
  if (!stack.findings.empty())
    write_action(out, stack.diagnosis);
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
