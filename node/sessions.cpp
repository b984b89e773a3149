// SPDX-License-Identifier: Apache-2.0
#include "node/sessions.h"

#include "node/host.h"
#include "node/log_time.h"
#include "node/text_lines.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <map>
#include <utmp.h>

namespace gpucert {
namespace {

// A month of a busy node; more log-ins than this are no people.
constexpr std::size_t most_wtmp_bytes = std::size_t{16} << 20;

std::optional<std::chrono::local_seconds> find_date(std::string_view text, std::chrono::local_seconds near) {
  for (std::string_view rest = text; !rest.empty();)
    if (const auto time = parse_log_time(take_word(rest)))
      return time->local;
  return find_unix_date(text, near);
}

/// "05:31 - 06:00  (00:29)" and "... - 2024-05-22T06:00:00+0200": what `last` says of the end.
std::optional<std::chrono::local_seconds> find_end(std::string_view text, std::chrono::local_seconds start,
                                                   std::chrono::local_seconds near) {
  const auto dash = text.find(" - ");
  if (dash == text.npos)
    return std::nullopt;
  const std::string_view behind = text.substr(dash + 3);
  if (const auto date = find_date(behind, near))
    return date;
  const auto open = behind.find('(');
  unsigned days = 0, hours = 0, minutes = 0; // "(1+02:03)" is a day, two hours and three minutes
  if (open == behind.npos)
    return std::nullopt;
  const std::string duration(behind.substr(open + 1, 16));
  if (std::sscanf(duration.c_str(), "%5u+%2u:%2u", &days, &hours, &minutes) != 3) {
    days = 0;
    if (std::sscanf(duration.c_str(), "%2u:%2u", &hours, &minutes) != 2)
      return std::nullopt;
  }
  return start + std::chrono::days{days} + std::chrono::hours{hours} + std::chrono::minutes{minutes};
}

std::string local_iso(std::time_t time) {
  std::tm parts{};
  ::localtime_r(&time, &parts);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", parts);
}

std::string line_of_boot(std::string_view kernel, std::time_t time) {
  return fmt::format("reboot   system boot  {}  {}\n", kernel, local_iso(time));
}

/// Seconds since 1970 of this boot, by the kernel.
std::optional<std::chrono::sys_seconds> read_boot_time(host &node) {
  const fact<std::string> text = node.peek_file("/proc/stat");
  if (!text.is_known())
    return std::nullopt;
  const auto at = text->find("\nbtime ");
  long long seconds = 0;
  if (at == text->npos)
    return std::nullopt;
  const char *digits = text->data() + at + std::strlen("\nbtime ");
  if (std::from_chars(digits, text->data() + text->size(), seconds).ec != std::errc{})
    return std::nullopt;
  return std::chrono::sys_seconds{std::chrono::seconds{seconds}};
}

/// Not for the record: wtmp holds names and addresses.
fact<std::string> ask_for_sessions(host &node) {
  const fact<std::string> wtmp = node.peek_file("/var/log/wtmp", most_wtmp_bytes);
  const auto boot = read_boot_time(node);
  if (!wtmp.is_known() && !boot)
    return fact<std::string>::unknown(wtmp.source, wtmp.problem.value_or("the node keeps none"));
  std::string lines = describe_wtmp(wtmp.value.value_or(""), boot);
  if (!wtmp.is_known())
    lines += "wtmp is not known\n";
  return fact<std::string>::known(std::move(lines), "/var/log/wtmp");
}

void sort_by_time(session_history &sessions) {
  std::sort(sessions.boots.begin(), sessions.boots.end());
  std::sort(sessions.logins.begin(), sessions.logins.end(),
            [](const auto &a, const auto &b) { return a.start < b.start; });
}

} // namespace

std::optional<int> session_history::logins_between(std::chrono::local_seconds from,
                                                   std::chrono::local_seconds to) const {
  if (!begin || *begin > from)
    return std::nullopt;
  return static_cast<int>(std::count_if(logins.begin(), logins.end(), [&](const login &session) {
    return session.start <= to && (!session.end || *session.end >= from);
  }));
}

session_history parse_last(std::string_view text, std::chrono::local_seconds near) {
  session_history sessions;
  bool states_begin = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string_view rest = line;
    const std::string_view first = take_word(rest);
    const auto start = find_date(line, near);
    if (first == "wtmp" || first.starts_with("/var/log/wtmp")) {
      states_begin = true;
      sessions.begin = start;
    }
    if (!start || states_begin)
      continue;
    if (first == "reboot")
      sessions.boots.push_back(*start);
    else if (first != "shutdown" && first != "runlevel")
      sessions.logins.push_back({*start, find_end(line, *start, near)});
  }
  sort_by_time(sessions);
  if (!states_begin && !sessions.boots.empty()) // the record goes back at least to its first boot
    sessions.begin = sessions.boots.front();
  return sessions;
}

std::string describe_wtmp(std::string_view bytes, std::optional<std::chrono::sys_seconds> boot) {
  std::string lines;
  std::map<std::string, std::time_t> open; // by terminal
  std::optional<std::time_t> first;
  const auto close = [&](const std::string &terminal, std::time_t end) {
    if (const auto session = open.find(terminal); session != open.end()) {
      lines += fmt::format("user     login  {} - {}\n", local_iso(session->second), local_iso(end));
      open.erase(session);
    }
  };
  for (; bytes.size() >= sizeof(struct utmp); bytes.remove_prefix(sizeof(struct utmp))) {
    struct utmp entry {};
    std::memcpy(&entry, bytes.data(), sizeof entry);
    const std::time_t time = entry.ut_tv.tv_sec;
    const std::string terminal(entry.ut_line, ::strnlen(entry.ut_line, sizeof entry.ut_line));
    if (time > 0 && !first)
      first = time;
    if (entry.ut_type == USER_PROCESS) {
      close(terminal, time);
      open[terminal] = time;
    } else if (entry.ut_type == DEAD_PROCESS) {
      close(terminal, time);
    } else if (entry.ut_type == BOOT_TIME) {
      while (!open.empty())
        close(std::string(open.begin()->first), time);
      lines += line_of_boot("kernel", time);
    }
  }
  for (const auto &[terminal, start] : open)
    lines += fmt::format("user     login  {}   still logged in\n", local_iso(start));
  if (boot) // also in wtmp, but there by the clock before it was set
    lines += line_of_boot("running", std::chrono::system_clock::to_time_t(*boot));
  if (first)
    lines += fmt::format("wtmp begins {}\n", local_iso(*first));
  return lines;
}

fact<session_history> read_sessions(host &node, std::chrono::local_seconds near) {
  fact<std::string> text = node.read_document("commands/last.txt", [&] { return ask_for_sessions(node); });
  if (text.is_absent())
    return fact<session_history>::absent(text.source);
  return text.then([&](const std::string &lines) { return std::optional(parse_last(lines, near)); }, "");
}

} // namespace gpucert
