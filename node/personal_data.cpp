// SPDX-License-Identifier: Apache-2.0
#include "node/personal_data.h"

#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

bool is_letter_or_digit(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }
bool is_hex(char letter) { return std::isxdigit(static_cast<unsigned char>(letter)) != 0; }
bool is_name_letter(char letter) {
  return is_letter_or_digit(letter) || letter == '-' || letter == '_' || letter == '.';
}

/// Replaces `word` where no letter, digit, dash or underscore touches it; a host named "gpu" must not eat "gpu-0".
std::string replace_word(std::string_view line, std::string_view word, std::string_view by) {
  const auto touches = [](char letter) { return is_letter_or_digit(letter) || letter == '-' || letter == '_'; };
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const auto found = std::min(line.find(word, at), line.size());
    result += line.substr(at, found - at);
    if (found == line.size())
      break;
    const std::size_t end = found + word.size();
    const bool is_whole = (found == 0 || !touches(line[found - 1])) && (end == line.size() || !touches(line[end]));
    result += is_whole ? by : word;
    at = end;
  }
  return result;
}

/// Replaces the word that follows each `marker`: a name behind "/home/", a number behind "Serial Number: ".
std::string replace_after(std::string_view line, std::string_view marker, std::string_view by) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const auto found = line.find(marker, at);
    if (found == line.npos)
      return result.append(line.substr(at));
    const std::size_t start = found + marker.size();
    std::size_t end = start;
    while (end < line.size() && is_name_letter(line[end]))
      ++end;
    result += line.substr(at, start - at);
    result += end > start ? by : "";
    at = end;
  }
  return result;
}

/// The length of a UUID's 36 characters at the start of `text`, 0 when there is none.
std::size_t uuid_length(std::string_view text) {
  constexpr std::size_t length = 36; // 8-4-4-4-12 hexadecimal digits
  if (text.size() < length)
    return 0;
  for (std::size_t at = 0; at < length; ++at) {
    const bool is_dash = at == 8 || at == 13 || at == 18 || at == 23;
    if (is_dash ? text[at] != '-' : !is_hex(text[at]))
      return 0;
  }
  return length;
}

/// The length of "192.168.0.1" or "52:54:00:12:34:56" at the start of `text`, 0 when there is none.
std::size_t address_length(std::string_view text) {
  const std::string_view run = text.substr(0, text.find_first_not_of("0123456789abcdefABCDEF.:"));
  const auto dots = std::count(run.begin(), run.end(), '.'), colons = std::count(run.begin(), run.end(), ':');
  const bool is_ipv4 = dots == 3 && colons == 0 && run.size() >= 7 && run.back() != '.' &&
                       run.find_first_not_of("0123456789.") == run.npos;
  // Seven colons are a whole IPv6 address, five with two digits each a MAC; PCI addresses have two.
  const bool is_mac = colons == 5 && dots == 0 && run.size() == 17;
  const bool is_ipv6 = dots == 0 && (colons == 7 || (colons >= 3 && run.find("::") != run.npos && run.size() > 6));
  return is_ipv4 || is_mac || is_ipv6 ? run.size() : 0;
}

std::string replace_addresses(std::string_view line) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const bool is_start = at == 0 || (!is_letter_or_digit(line[at - 1]) && line[at - 1] != '.' && line[at - 1] != ':');
    const std::size_t length = is_start ? address_length(line.substr(at)) : 0;
    if (length > 0)
      result += "ADDRESS";
    else
      result += line[at];
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

// What stands behind these words is a name or a number of one person or board.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> markers{
    {{"/home/", "USER"},
     {"Requested-By: ", "USER"},
     {"Serial Number: ", "SERIAL"},
     {"serial number is ", "SERIAL"},
     {"Serial Number                         : ", "SERIAL"},
     {"user=", "USER"},
     {"USER=", "USER"}}};

// A package's version is "5.15.0.105"; these files are read for versions.
bool holds_package_versions(std::string_view path) {
  return path.starts_with("root/var/lib/") || path.starts_with("root/var/log/") || path.find("dpkg_l") != path.npos ||
         path.find("rpm_qa") != path.npos || path.find("pacman_q") != path.npos;
}

} // namespace

personal_data::personal_data(std::vector<std::string> host_names) : host_names_(std::move(host_names)) {
  // "localhost" is nobody's name, and stands in many texts.
  std::erase_if(host_names_, [](const std::string &name) { return name.empty() || name == "localhost"; });
  std::sort(host_names_.begin(), host_names_.end(), [](const auto &a, const auto &b) { return a.size() > b.size(); });
}

std::string personal_data::replace_uuids(std::string_view line) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t length = uuid_length(line.substr(at));
    if (length == 0) {
      result += line[at++];
      continue;
    }
    const std::string_view uuid = line.substr(at, length);
    // "GPU-" or "MIG-" already stands in front of it in NVIDIA's texts.
    const auto known = uuids_.try_emplace(std::string(uuid), fmt::format("{}", uuids_.size())).first;
    result += result.ends_with("GPU-") || result.ends_with("MIG-") ? known->second : "UUID-" + known->second;
    at += length;
  }
  return result;
}

std::string personal_data::remove_from_line(std::string_view line, bool may_hold_addresses) {
  std::string clean = replace_uuids(line);
  for (const std::string &name : host_names_)
    clean = replace_word(clean, name, "HOST");
  for (const auto &[marker, by] : markers)
    clean = replace_after(clean, marker, by);
  return may_hold_addresses ? replace_addresses(clean) : clean;
}

std::string personal_data::remove(std::string_view path, std::string_view text) {
  if (path.ends_with(".gz"))
    return std::string(text); // packed: the writer stores it unpacked or not at all
  const bool may_hold_addresses = !holds_package_versions(path);
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const auto newline = text.find('\n');
    clean += remove_from_line(text.substr(0, newline), may_hold_addresses);
    if (newline != text.npos)
      clean += '\n';
    text.remove_prefix(newline == text.npos ? text.size() : newline + 1);
  }
  return clean;
}

} // namespace gpucert
