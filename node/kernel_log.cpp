// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_log.h"

#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sys/klog.h>

namespace gpucert {
namespace {

constexpr std::string_view nvrm = "NVRM:";

// The mismatch is printed over four lines (old wording) or five (new one).
constexpr std::size_t most_mismatch_lines = 6;

/// The words of one NVRM statement that spans lines, blanks collapsed, "NVRM:" dropped.
std::string join_statement(const std::vector<kernel_line> &lines, std::size_t first) {
  std::string joined;
  for (std::size_t index = first; index < std::min(lines.size(), first + most_mismatch_lines); ++index) {
    std::string_view message = lines[index].message;
    if (!message.starts_with(nvrm) || (index > first && message.find("API mismatch") != message.npos))
      break;
    message.remove_prefix(nvrm.size());
    for (std::string_view word = take_word(message); !word.empty(); word = take_word(message))
      joined += fmt::format("{}{}", joined.empty() ? "" : " ", word);
  }
  return joined;
}

/// The text between two phrases; the second one is searched behind the first.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
  const auto start = text.find(before);
  if (start == text.npos)
    return std::nullopt;
  const std::string_view rest = text.substr(start + before.size());
  const auto stop = rest.find(after);
  return stop == rest.npos ? std::nullopt : std::optional(rest.substr(0, stop));
}

std::optional<driver_release> release_after(std::string_view text, std::string_view phrase) {
  const auto at = text.find(phrase);
  return at == text.npos ? std::nullopt : driver_release::parse_prefix(text.substr(at + phrase.size()));
}

void read_client(std::string_view statement, api_mismatch &mismatch) {
  const auto name = between(statement, "the client '", "' (pid ");
  if (!name)
    return;
  mismatch.client_name = *name;
  const std::string_view digits = statement.substr(statement.find("' (pid ") + std::string_view("' (pid ").size());
  int pid = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), pid).ec == std::errc{})
    mismatch.client_pid = pid;
}

std::optional<api_mismatch> parse_mismatch(const std::vector<kernel_line> &lines, std::size_t first) {
  const std::string statement = join_statement(lines, first);
  const auto split = statement.find("but this kernel module has");
  if (split == statement.npos)
    return std::nullopt;
  const auto client = release_after(std::string_view(statement).substr(0, split), "has the version ");
  const auto module = release_after(std::string_view(statement).substr(split), "the version ");
  if (!client || !module)
    return std::nullopt;
  api_mismatch mismatch{*client, {*module}, {}, {}, lines[first].seconds_since_boot, {}};
  mismatch.wall_time = lines[first].wall_time;
  read_client(std::string_view(statement).substr(0, split), mismatch);
  return mismatch;
}

/// The message repeats with every call of the client, thousands of times a day: counted, not listed.
void add_mismatch(std::vector<api_mismatch> &list, api_mismatch mismatch) {
  const auto same = std::find_if(list.begin(), list.end(), [&](const api_mismatch &known) {
    return known.client == mismatch.client && known.module == mismatch.module &&
           known.client_name == mismatch.client_name;
  });
  if (same == list.end())
    list.push_back(std::move(mismatch));
  else
    ++same->count;
}

std::optional<other_driver_report> parse_other_driver(std::string_view message) {
  constexpr std::string_view bound = " is already bound to ";
  if (const auto at = message.find(bound); at != message.npos) {
    other_driver_report report;
    report.text = message;
    if (const auto address = between(message, "NVRM: GPU ", bound))
      report.address = *address;
    std::string_view driver = trim(message.substr(at + bound.size()));
    while (driver.ends_with('.'))
      driver.remove_suffix(1);
    report.driver = driver;
    return report;
  }
  if (message.find("probe routine was not called for") != message.npos)
    return other_driver_report{std::nullopt, std::nullopt, std::string(message)};
  return std::nullopt;
}

void add_xid(kernel_log &log, xid_event event, const kernel_line &line) {
  event.seconds_since_boot = line.seconds_since_boot;
  event.wall_time = line.wall_time;
  log.xids.push_back(std::move(event));
}

void add_statement(kernel_log &log, kernel_statement statement, const kernel_line &line) {
  statement.seconds_since_boot = line.seconds_since_boot;
  statement.wall_time = line.wall_time;
  ++log.messages[statement.topic];
  for (kernel_statement &known : log.statements)
    if (known.topic == statement.topic && known.address == statement.address && known.text == statement.text) {
      ++known.count;
      return;
    }
  log.statements.push_back(std::move(statement));
}

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

fact<std::string> ask_for_log(host &node) {
  if (node.is_live())
    return ask_for_ring_buffer();
  fact<std::string> text = node.read_file("/var/log/dmesg"); // the boot's messages, where a distribution keeps them
  if (text.is_absent())                                      // a tree says nothing of the ring buffer of its kernel
    return fact<std::string>::unknown(text.source, "the tree holds no kernel log");
  return text;
}

} // namespace

kernel_log parse_kernel_log(std::string_view text) {
  const std::vector<kernel_line> lines = parse_kernel_lines(text);
  kernel_log log;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const std::string_view message = lines[index].message;
    if (auto event = parse_xid(message)) {
      add_xid(log, *std::move(event), lines[index]);
      continue;
    }
    const std::string joined = spans_lines(message) ? "NVRM: " + join_statement(lines, index) : std::string(message);
    if (auto statement = parse_kernel_statement(joined))
      add_statement(log, *std::move(statement), lines[index]);
    if (!message.starts_with(nvrm))
      continue;
    if (message.find("API mismatch:") != message.npos) {
      if (auto mismatch = parse_mismatch(lines, index))
        add_mismatch(log.api_mismatches, *std::move(mismatch));
    } else if (auto report = parse_other_driver(message)) {
      log.other_drivers.push_back(*std::move(report));
    }
  }
  return log;
}

fact<kernel_log> read_kernel_log(host &node) {
  fact<std::string> text = node.read_document("commands/dmesg.txt", [&] { return ask_for_log(node); });
  if (text.is_unknown() && node.kind() == host_kind::capture)
    text = node.read_document("commands/journal_kernel.txt");
  if (text.is_absent())
    return fact<kernel_log>::known({}, text.source); // an empty log
  return text.then([](const std::string &log) { return std::optional(parse_kernel_log(log)); }, "is not readable");
}

} // namespace gpucert
