// SPDX-License-Identifier: Apache-2.0
#include "node/update_policy.h"

#include "node/host.h"
#include "node/text_lines.h"

namespace gpucert {
namespace {

struct text_file {
  std::string path;
  std::string text;
};

/// The files of a folder that the tool reads, in its order, which is that of bytes.
std::vector<text_file> read_folder(host &node, const std::string &folder, bool (*is_wanted)(std::string_view)) {
  std::vector<text_file> files;
  const fact<std::vector<std::string>> names = node.list_folder(folder);
  if (!names.is_known())
    return files;
  for (const std::string &name : *names)
    if (is_wanted(name))
      if (fact<std::string> text = node.read_file(folder + "/" + name, std::size_t{1} << 20); text.is_known())
        files.push_back({folder + "/" + name, *std::move(text.value)});
  return files;
}

/// apt takes a number of days, "always", or a word for yes.
bool is_on(const std::optional<std::string> &value) {
  return value && !value->empty() && *value != "0" && *value != "no" && *value != "false";
}

void append(std::vector<apt_option> &list, std::vector<apt_option> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void read_apt(host &node, update_policy &policy) {
  apt_configuration apt;
  bool is_configured = false;
  for (const text_file &file :
       read_folder(node, "/etc/apt/apt.conf.d", [](std::string_view name) { return is_read_by_apt(name, ".conf"); })) {
    is_configured = true;
    apt.add_file(file.text, file.path);
    if (file.text.find("Periodic") != std::string::npos)
      policy.apt_source = file.path;
  }
  if (const fact<std::string> main = node.read_file("/etc/apt/apt.conf"); main.is_known())
    apt.add_file(*main, "/etc/apt/apt.conf"); // after the folder
  if (!is_configured)
    return;
  const auto lists = apt.value("APT::Periodic::Update-Package-Lists"),
             upgrade = apt.value("APT::Periodic::Unattended-Upgrade");
  const auto enable = apt.value("APT::Periodic::Enable");
  if (lists || upgrade)
    policy.apt_upgrades_itself = is_on(lists) && is_on(upgrade) && (!enable || is_on(enable));
  policy.blacklist = apt.list("Unattended-Upgrade::Package-Blacklist");
  policy.whitelist = apt.list("Unattended-Upgrade::Package-Whitelist");
  policy.is_whitelist_strict = is_on(apt.value("Unattended-Upgrade::Package-Whitelist-Strict"));
  policy.origins = apt.list("Unattended-Upgrade::Allowed-Origins");
  append(policy.origins, apt.list("Unattended-Upgrade::Origins-Pattern"));
}

void read_pins(host &node, update_policy &policy) {
  std::vector<text_file> files =
      read_folder(node, "/etc/apt/preferences.d", [](std::string_view name) { return is_read_by_apt(name, ".pref"); });
  if (fact<std::string> main = node.read_file("/etc/apt/preferences"); main.is_known())
    files.push_back({"/etc/apt/preferences", *std::move(main.value)});
  for (const text_file &file : files)
    for (apt_pin &pin : parse_apt_preferences(file.text, file.path))
      policy.pins.push_back(std::move(pin));
}

void add_words(std::vector<std::string> &list, std::string_view words) {
  std::string blanks(words);
  for (char &letter : blanks)
    if (letter == ',' || letter == '\n')
      letter = ' ';
  std::string_view rest = blanks;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest))
    list.emplace_back(word);
}

void read_dnf(host &node, update_policy &policy) {
  for (const char *path : {"/etc/dnf/automatic.conf", "/etc/dnf/dnf5-plugins/automatic.conf"})
    if (const fact<std::string> automatic = node.read_file(path); automatic.is_known()) {
      const auto apply = ini_value(*automatic, "commands", "apply_updates");
      policy.dnf_upgrades_itself = apply && (*apply == "yes" || *apply == "True" || *apply == "true" || *apply == "1");
      policy.dnf_source = path;
      add_words(policy.dnf_excludes, ini_value(*automatic, "base", "excludepkgs").value_or(""));
    }
  if (!policy.dnf_upgrades_itself)
    return;
  std::vector<text_file> files =
      read_folder(node, "/etc/yum.repos.d", [](std::string_view name) { return name.ends_with(".repo"); });
  if (fact<std::string> main = node.read_file("/etc/dnf/dnf.conf"); main.is_known())
    files.push_back({"/etc/dnf/dnf.conf", *std::move(main.value)});
  for (const text_file &file : files)
    for (const char *key : {"excludepkgs", "exclude"})
      add_words(policy.dnf_excludes, ini_value(file.text, "", key).value_or(""));
  for (const char *path : {"/etc/dnf/plugins/versionlock.list", "/etc/dnf/versionlock.toml"})
    if (const fact<std::string> locks = node.read_file(path); locks.is_known())
      for (std::string &lock : parse_versionlock(*locks))
        policy.dnf_locks.push_back(std::move(lock));
}

} // namespace

std::optional<std::string> ini_value(std::string_view text, std::string_view section, std::string_view key) {
  std::optional<std::string> found;
  std::string_view now;
  bool continues = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!line.empty() && is_blank(line.front()) && continues) {
      *found += " " + std::string(trim(line));
      continue;
    }
    continues = false;
    const std::string_view plain = trim(line);
    if (plain.starts_with('[') && plain.ends_with(']')) {
      now = plain.substr(1, plain.size() - 2);
    } else if (const auto equals = plain.find('='); equals != plain.npos && !plain.starts_with('#') &&
                                                    (section.empty() || now == section) &&
                                                    trim(plain.substr(0, equals)) == key) {
      // Any section: what stands in several adds up.
      found = (section.empty() && found ? *found + " " : "") + std::string(trim(plain.substr(equals + 1)));
      continues = true;
    }
  }
  return found;
}

std::vector<std::string> parse_versionlock(std::string_view text) {
  std::vector<std::string> locks;
  while (!text.empty()) {
    std::string_view line = trim(take_line(text));
    if (line.starts_with("name")) { // dnf5: name = "nvidia-driver"
      const auto open = line.find('"'), close = line.rfind('"');
      if (open != line.npos && close > open)
        locks.emplace_back(line.substr(open + 1, close - open - 1));
      continue;
    }
    if (line.empty() || line.starts_with('#') || line.starts_with('!') || line.starts_with('[') ||
        line.find('=') != line.npos)
      continue;
    // NAME-EPOCH:VERSION-RELEASE.*
    const auto colon = line.find(':');
    const auto dash = colon == line.npos ? line.npos : line.rfind('-', colon);
    locks.emplace_back(line.substr(0, dash));
  }
  return locks;
}

update_policy read_update_policy(host &node) {
  update_policy policy;
  read_apt(node, policy);
  read_pins(node, policy);
  read_dnf(node, policy);
  return policy;
}

} // namespace gpucert
