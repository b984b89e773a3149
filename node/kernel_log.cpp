// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_log.h"

#include "node/command.h"
#include "node/host.h"
#include "node/kernel_log_builder.h"
#include "node/log_marks.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <cstring>
#include <sys/klog.h>

namespace gpucert {
namespace {

/// The kernel's ring buffer, without a process: what dmesg reads.
fact<std::string> ask_for_ring_buffer() {
  constexpr int read_all = 3, buffer_size = 10; // SYSLOG_ACTION_READ_ALL and _SIZE_BUFFER of syslog(2)
  const int size = ::klogctl(buffer_size, nullptr, 0);
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  const int got = size > 0 ? ::klogctl(read_all, text.data(), size) : size;
  if (got < 0)
    return fact<std::string>::unknown("kernel log", fmt::format("{} (run as root)", std::strerror(errno)));
  text.resize(static_cast<std::size_t>(got));
  return fact<std::string>::known(std::move(text), "kernel log");
}

// A log of a week of floods. What stands before is of no use to a person either, and reading it takes time.
constexpr std::size_t most_log_bytes = std::size_t{64} << 20;

/// The boot's messages where a distribution keeps them, else the log of many boots.
fact<std::string> read_stored_log(host &node) {
  fact<std::string> text = fact<std::string>::absent("/var/log/dmesg");
  for (const std::string_view path : {"/var/log/dmesg", "/var/log/kern.log", "/var/log/messages"})
    if (!text.is_known())
      text = node.peek_file(path, most_log_bytes, kept_part::end);
  return text;
}

fact<std::string> ask_for_log(host &node) {
  if (node.is_live())
    return ask_for_ring_buffer();
  fact<std::string> text = read_stored_log(node);
  if (text.is_absent()) // a tree says nothing of the ring buffer of its kernel
    return fact<std::string>::unknown("/var/log/dmesg", "the tree holds no kernel log");
  return text;
}

fact<std::string> ask_journal(host &node, bool may_run_commands) {
  const std::string source = "journalctl -k -b";
  if (!node.is_live())
    return fact<std::string>::unknown(source, "only a live node can be asked");
  if (!may_run_commands)
    return fact<std::string>::unknown(source, "needs --deep");
  command asked{{"journalctl", "-k", "-b", "--no-hostname", "--no-pager", "-q", "-o", "short-iso"}, {}};
  asked.deadline = std::min(node.time_left(), asked.deadline);
  asked.output_limit_bytes = most_log_bytes;
  const command_result result = run_command(asked);
  if (!result.succeeded())
    return fact<std::string>::unknown(source, "journalctl " + result.how_it_ended());
  return fact<std::string>::known(result.output, source);
}

/// A ring buffer whose first line is not that of the boot has lost what came before.
bool has_lost_its_beginning(std::string_view text) {
  constexpr double first_messages_s = 60;
  const kernel_line first = strip_prefixes(take_line(text));
  return first.seconds_since_boot.value_or(0) > first_messages_s;
}

bool says_nothing(const kernel_log &log) {
  return log.api_mismatches.empty() && log.other_drivers.empty() && log.statements.empty() && log.xids.empty();
}

fact<kernel_log> parse(const fact<std::string> &text) {
  if (text.is_absent())
    return fact<kernel_log>::known({}, text.source); // an empty log
  return text.then([](const std::string &log) { return std::optional(parse_kernel_log(log)); }, "is not readable");
}

} // namespace

kernel_log parse_kernel_log(std::string_view text) {
  kernel_log_builder builder;
  while (!text.empty()) {
    std::string_view line = take_marked_line(text);
    const bool is_one_part = line.find('#') == line.npos && line.find('\\') == line.npos;
    if (is_one_part && !line.empty()) // nearly always
      builder.take(strip_prefixes(line));
    else
      while (!line.empty())
        builder.take(strip_prefixes(take_part(line)));
  }
  return builder.finish();
}

fact<kernel_log> read_kernel_log(host &node, bool may_run_commands) {
  const fact<std::string> text =
      node.read_log_document("commands/dmesg.txt", most_log_bytes, [&] { return ask_for_log(node); });
  fact<kernel_log> log = parse(text);
  if (text.is_absent() || (text.is_known() && !has_lost_its_beginning(*text)))
    return log;
  fact<kernel_log> journal = parse(node.read_log_document("commands/journal_kernel.txt", most_log_bytes,
                                                          [&] { return ask_journal(node, may_run_commands); }));
  const bool has_more = log.is_unknown() || (journal.is_known() && !says_nothing(*journal));
  if (journal.is_known() && has_more)
    return journal;
  if (log.is_unknown() && node.kind() == host_kind::capture) // made by hand, out of a machine's files
    if (const fact<std::string> stored = read_stored_log(node); stored.is_known())
      return parse(stored);
  return log;
}

} // namespace gpucert
