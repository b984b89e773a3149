// SPDX-License-Identifier: Apache-2.0
#include "node/personal_data.h"

#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
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

/// "https://NAME:PASSWORD@host/": what stands between "://" and "@" of one word.
std::string replace_url_users(std::string_view line) {
  constexpr std::string_view scheme = "://";
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const auto found = line.find(scheme, at);
    if (found == line.npos)
      return result.append(line.substr(at));
    const std::size_t start = found + scheme.size();
    const auto end = std::min(line.find_first_of("/ \t\"'", start), line.size());
    const auto at_sign = line.substr(start, end - start).rfind('@');
    result += line.substr(at, start - at);
    if (at_sign != line.npos) {
      at = start + at_sign; // the name and the password are left out
    } else {
      at = start;
    }
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

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// The length of one part of an IPv4 address, 0 when it is none: 0 to 255 without leading zeros. The parts of driver
/// versions are mostly larger (12.550.54.15, as NVML states it) or begin with 0.
std::size_t octet_length(std::string_view text) {
  std::size_t length = 0;
  int number = 0;
  for (; length < text.size() && length < 4 && is_digit(text[length]); ++length)
    number = number * 10 + (text[length] - '0');
  const bool is_octet = length > 0 && length <= 3 && number <= 255 && (text[0] != '0' || length == 1);
  return is_octet ? length : 0;
}

/// The length of "192.168.0.1" at the start of `text`, 0 when there is none: five numbers are a kernel's version.
std::size_t ipv4_length(std::string_view text) {
  std::size_t at = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && (at == text.size() || text[at++] != '.'))
      return 0;
    const std::size_t length = octet_length(text.substr(at));
    if (length == 0)
      return 0;
    at += length;
  }
  const std::string_view rest = text.substr(at);
  // "5.15.167.4-microsoft-standard-WSL2" is a kernel; "192.0.2.1-192.0.2.9" are addresses.
  const bool is_release = rest.size() > 1 && rest[0] == '-' && !is_digit(rest[1]);
  const bool goes_on = !rest.empty() && (is_letter_or_digit(rest[0]) || rest[0] == '_' || is_release ||
                                         (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1])));
  return goes_on ? 0 : at;
}

/// The length of "52:54:00:12:34:56" at the start of `text`, 0 when there is none: more pairs are a key.
std::size_t mac_length(std::string_view text) {
  constexpr std::size_t length = 17;
  if (text.size() < length)
    return 0;
  for (std::size_t at = 0; at < length; ++at)
    if (at % 3 == 2 ? text[at] != ':' : !is_hex(text[at]))
      return 0;
  const std::string_view rest = text.substr(length);
  const bool goes_on =
      !rest.empty() && (is_letter_or_digit(rest[0]) || (rest[0] == ':' && rest.size() > 1 && is_hex(rest[1])));
  return goes_on ? 0 : length;
}

/// The length of an IPv6 address at the start of `text`, 0 when there is none. PCI addresses and times have too few
/// parts.
std::size_t ipv6_length(std::string_view text) {
  constexpr std::size_t longest = INET6_ADDRSTRLEN;
  std::string run(text.substr(0, std::min(text.find_first_not_of("0123456789abcdefABCDEF.:"), longest)));
  if (run.size() == longest)
    return 0;
  while (run.ends_with('.') || (run.ends_with(':') && !run.ends_with("::"))) // a sentence goes on
    run.pop_back();
  const bool goes_on = run.size() < text.size() && is_letter_or_digit(text[run.size()]);
  in6_addr address{};
  // Names of code (a::b) are shorter than any address that tells something.
  const bool is_address = run.size() > 6 && ::inet_pton(AF_INET6, run.c_str(), &address) == 1;
  return is_address && !goes_on ? run.size() : 0;
}

std::size_t address_length(std::string_view text) {
  for (const auto length_of : {ipv4_length, mac_length, ipv6_length})
    if (const std::size_t length = length_of(text); length > 0)
      return length;
  return 0;
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

/// Replaces the number behind "Serial Number    : " and "serial number is ", whatever the blanks between.
std::string replace_serial_numbers(std::string_view line) {
  constexpr std::string_view words = "erial "; // "Serial Number" by nvidia-smi and NVRM, "serial number" by NVRM
  std::string result;
  for (;;) {
    const auto found = line.find(words);
    if (found == line.npos)
      return result.append(line);
    std::string_view rest = line.substr(found + words.size());
    const auto drop = [&](std::string_view part) {
      const bool is_next = rest.starts_with(part);
      rest.remove_prefix(is_next ? part.size() : 0);
      return is_next;
    };
    const auto drop_blanks = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); };
    bool is_stated = drop("Number") || drop("number");
    drop_blanks();
    is_stated = is_stated && (drop(":") || drop("is "));
    drop_blanks();
    const std::size_t start = line.size() - rest.size();
    std::size_t size = 0;
    while (is_stated && size < rest.size() && (is_letter_or_digit(rest[size]) || rest[size] == '-'))
      ++size;
    const bool is_number = rest.substr(0, size).find_first_of("0123456789") != rest.npos; // "N/A" is none
    result.append(line.substr(0, is_number ? start : found + words.size()));
    result.append(is_number ? "SERIAL" : "");
    line.remove_prefix(is_number ? start + size : found + words.size());
  }
}

/// "alice@HOST", where the host's name is replaced already.
std::string replace_users_of_host(std::string_view line) {
  constexpr std::string_view at_host = "@HOST";
  std::string result;
  for (;;) {
    const auto found = line.find(at_host);
    if (found == line.npos)
      return result.append(line);
    std::size_t start = found;
    while (start > 0 && is_name_letter(line[start - 1]))
      --start;
    result.append(line.substr(0, start)).append(start < found ? "USER@HOST" : at_host);
    line.remove_prefix(found + at_host.size());
  }
}

/// zypper's history has the field "user@host", with the name that the host had then.
std::string replace_user_fields(std::string_view line) {
  std::string result;
  for (bool is_first = true; !line.empty() || is_first; is_first = false) {
    const auto end = std::min(line.find('|'), line.size());
    const std::string_view field = line.substr(0, end);
    const bool names_user = field.find('@') != field.npos && field.find_first_of(" '") == field.npos;
    result.append(names_user ? "USER@HOST" : field).append(line.substr(end, 1));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return result;
}

// What stands behind these words is a name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> markers{
    {{"/home/", "USER"}, {"Requested-By: ", "USER"}, {"user=", "USER"}, {"USER=", "USER"}}};

// Names that many hosts have and that stand in many texts for something else: nobody is known by them.
constexpr std::array<std::string_view, 9> nobodys_names{"localhost", "nvidia", "gpu",    "kernel", "linux",
                                                        "ubuntu",    "debian", "fedora", "root"};

// A package's version is "5.15.0.105"; these files are read for versions.
bool holds_package_versions(std::string_view path) {
  return path.starts_with("root/var/lib/") || path.starts_with("root/var/log/") || path.find("dpkg_l") != path.npos ||
         path.find("rpm_qa") != path.npos || path.find("pacman_q") != path.npos;
}

} // namespace

personal_data::personal_data(std::vector<std::string> host_names) : host_names_(std::move(host_names)) {
  std::erase_if(host_names_, [](const std::string &name) {
    return name.empty() || std::find(nobodys_names.begin(), nobodys_names.end(), name) != nobodys_names.end();
  });
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

std::string personal_data::remove_from_line(std::string_view line, std::string_view path) {
  std::string clean = replace_uuids(line);
  for (const std::string &name : host_names_)
    clean = replace_word(clean, name, "HOST");
  clean = replace_serial_numbers(replace_users_of_host(clean));
  if (path.starts_with("root/var/log/zypp/"))
    clean = replace_user_fields(clean);
  for (const auto &[marker, by] : markers)
    clean = replace_after(clean, marker, by);
  clean = replace_url_users(clean);
  return holds_package_versions(path) ? clean : replace_addresses(clean);
}

std::string personal_data::remove(std::string_view path, std::string_view text) {
  if (path.ends_with(".gz"))
    return std::string(text); // packed: the writer stores it unpacked or not at all
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const auto newline = text.find('\n');
    clean += remove_from_line(text.substr(0, newline), path);
    if (newline != text.npos)
      clean += '\n';
    text.remove_prefix(newline == text.npos ? text.size() : newline + 1);
  }
  return clean;
}

} // namespace gpucert
