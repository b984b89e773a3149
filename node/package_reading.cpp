// SPDX-License-Identifier: Apache-2.0
#include "node/package_reading.h"

#include "node/command.h"
#include "node/gzip.h"
#include "node/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace gpucert {
namespace {

using packages = std::vector<installed_package>;
using transactions = std::vector<package_transaction>;

// logrotate keeps twelve months of apt's history on Debian and Ubuntu.
constexpr int most_rotations = 12;

// A log is text of some hundred kB; a bomb in a rotated one must not fill the memory.
constexpr std::size_t most_log_bytes = std::size_t{64} << 20;

/// `rpm -qa`, where the node has an rpm database at all.
fact<std::string> ask_rpm(host &node, bool may_run_commands) {
  const bool has_database = node.exists("/var/lib/rpm") || node.exists("/usr/lib/sysimage/rpm");
  if (!has_database)
    return fact<std::string>::absent("rpm database");
  if (!node.is_live() || !may_run_commands)
    return fact<std::string>::unknown("rpm -qa", node.is_live() ? "needs --deep" : "a tree cannot be asked");
  const command_result result = run_command({{"rpm", "-qa"}, {}, std::min(node.time_left(), command{}.deadline)});
  if (!result.succeeded())
    return fact<std::string>::unknown("rpm -qa", result.how_it_ended());
  return fact<std::string>::known(result.output, "rpm -qa");
}

/// pacman's database is a folder for each package, named NAME-VERSION-RELEASE: as `pacman -Q` would print them.
fact<std::string> ask_pacman(host &node) {
  const fact<std::vector<std::string>> folders = node.list_folder("/var/lib/pacman/local");
  if (!folders.is_known())
    return folders.is_absent() ? fact<std::string>::absent(folders.source)
                               : fact<std::string>::unknown(folders.source, *folders.problem);
  std::string text;
  for (const std::string &folder : *folders) {
    const auto release = folder.rfind('-');
    const auto version = release == 0 || release == folder.npos ? folder.npos : folder.rfind('-', release - 1);
    if (version != folder.npos)
      text += fmt::format("{} {}\n", folder.substr(0, version), folder.substr(version + 1));
  }
  return fact<std::string>::known(std::move(text), folders.source);
}

struct database {
  fact<std::string> text;
  packages (*parse)(std::string_view);
};

struct package_log {
  std::string_view path;
  transactions (*parse)(std::string_view text, std::string_view source);
  bool is_rotated; // PATH.1.gz ... beside it
};

constexpr std::array<package_log, 4> package_logs{{
    {"/var/log/apt/history.log", parse_apt_history, true},
    {"/var/log/dnf.rpm.log", parse_dnf_log, true},
    {"/var/log/zypp/history", parse_zypp_history, false},
    {"/var/log/pacman.log", parse_pacman_log, false},
}};

/// The text of a log, unpacked where it ends in .gz. A damaged archive gives what could be read.
fact<std::string> read_log(host &node, const std::string &path) {
  const fact<std::string> bytes = node.read_file(path);
  if (!bytes.is_known() || !path.ends_with(".gz"))
    return bytes;
  std::optional<inflated_text> text = inflate_gzip(*bytes, most_log_bytes);
  return text ? fact<std::string>::known(std::move(text->text), path) : bytes;
}

/// Appends the transactions of one file. Returns whether the file could be asked for at all.
bool append_log(host &node, const package_log &log, const std::string &path, transactions &history) {
  const fact<std::string> text = read_log(node, path);
  if (text.is_known()) {
    transactions parsed = log.parse(*text, path);
    std::move(parsed.begin(), parsed.end(), std::back_inserter(history));
  }
  return !text.is_unknown();
}

} // namespace

fact<packages> read_packages(host &node, bool may_run_commands) {
  const bool is_capture = node.kind() == host_kind::capture;
  const fact<std::string> nothing = fact<std::string>::absent("");
  const fact<std::string> dpkg_status = node.read_file("/var/lib/dpkg/status");
  const std::array<database, 4> databases{{
      {dpkg_status, parse_dpkg_status},
      {is_capture && dpkg_status.is_unknown() ? node.read_document("commands/dpkg_l.txt") : nothing, parse_dpkg_list},
      {node.read_document("commands/rpm_qa.txt", [&] { return ask_rpm(node, may_run_commands); }), parse_rpm_list},
      {node.read_document("commands/pacman_q.txt", [&] { return ask_pacman(node); }), parse_pacman_list},
  }};
  packages all;
  std::string source;
  for (const database &one : databases)
    if (one.text.is_known()) {
      packages parsed = one.parse(*one.text);
      std::move(parsed.begin(), parsed.end(), std::back_inserter(all));
      source += fmt::format("{}{}", source.empty() ? "" : ", ", one.text.source);
    }
  if (!source.empty())
    return fact<packages>::known(std::move(all), source);
  // Nothing was read. One database that might be there and could not be asked makes the answer unknown.
  for (const database &one : databases)
    if (one.text.is_unknown())
      return fact<packages>::unknown(one.text.source, *one.text.problem);
  return fact<packages>::known({}, dpkg_status.source);
}

fact<transactions> read_package_history(host &node) {
  transactions history;
  bool was_answered = false;
  for (const package_log &log : package_logs) {
    const std::string path(log.path);
    for (int rotation = log.is_rotated ? most_rotations : 0; rotation > 0; --rotation) // the oldest first
      for (const std::string &rotated : {fmt::format("{}.{}.gz", path, rotation), fmt::format("{}.{}", path, rotation)})
        if (node.exists(rotated))
          was_answered |= append_log(node, log, rotated, history);
    was_answered |= append_log(node, log, path, history);
  }
  if (history.empty() && node.exists("/var/log/dpkg.log"))
    was_answered |= append_log(node, {"/var/log/dpkg.log", parse_dpkg_log, false}, "/var/log/dpkg.log", history);
  if (!was_answered)
    return fact<transactions>::unknown("/var/log/apt/history.log", "no package log could be read");
  return fact<transactions>::known(group_transactions(std::move(history)), "package logs");
}

} // namespace gpucert
