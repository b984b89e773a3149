// SPDX-License-Identifier: Apache-2.0
#include "node/old_packages.h"

#include "node/driver_package.h"
#include "node/host.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace gpucert {
namespace {

constexpr std::string_view apt_lists = "/var/lib/apt/lists";

// The largest list, Ubuntu's universe, has 70 MB; all together stay within a quarter of a GB.
constexpr std::size_t most_list_bytes = std::size_t{128} << 20;
constexpr std::size_t most_bytes_together = std::size_t{256} << 20;
constexpr std::size_t most_offers = 20000;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string without_percent(std::string text) {
  for (std::size_t at = 0; (at = text.find("%3a", at)) != text.npos; ++at)
    text.replace(at, 3, ":");
  return text;
}

std::optional<obtainable_package> parse_deb(std::string_view file) {
  const auto first = file.find('_'), last = file.rfind('_');
  if (first == file.npos || first == 0 || last <= first + 1)
    return std::nullopt;
  return obtainable_package{
      std::string(file.substr(0, first)), {without_percent(std::string(file.substr(first + 1, last - first - 1)))}, {}};
}

std::optional<obtainable_package> parse_pacman_file(std::string_view stem) {
  std::array<std::size_t, 3> dashes{};
  std::size_t end = stem.size();
  for (std::size_t &dash : dashes) { // before the architecture, the release and the version
    dash = end == 0 ? stem.npos : stem.rfind('-', end - 1);
    if (dash == stem.npos || dash == 0)
      return std::nullopt;
    end = dash;
  }
  return obtainable_package{
      std::string(stem.substr(0, dashes[2])), {std::string(stem.substr(dashes[2] + 1, dashes[0] - dashes[2] - 1))}, {}};
}

std::optional<obtainable_package> parse_file_name(std::string_view file) {
  if (file.ends_with(".deb"))
    return parse_deb(file.substr(0, file.size() - 4));
  if (file.ends_with(".rpm")) {
    const auto package = parse_rpm_package(file.substr(0, file.size() - 4));
    return package && package->version ? std::optional(obtainable_package{package->name, *package->version, {}})
                                       : std::nullopt;
  }
  if (const auto at = file.find(".pkg.tar"); at != file.npos && !file.ends_with(".sig"))
    return parse_pacman_file(file.substr(0, at));
  return std::nullopt;
}

/// Adds the packages of the driver in a folder, as lines.
void add_files(host &node, const std::string &folder, std::string &list) {
  const fact<std::vector<std::string>> names = node.peek_folder(folder);
  if (names.is_known())
    for (const std::string &name : *names)
      if (const auto file = parse_file_name(name); file && classify_driver_package(file->name))
        list += fmt::format("{}/{}\n", folder, name);
}

fact<std::string> list_caches(host &node) {
  std::string list;
  add_files(node, "/var/cache/apt/archives", list);
  add_files(node, "/var/cache/pacman/pkg", list);
  for (const std::string_view cache : {"/var/cache/dnf", "/var/cache/libdnf5", "/var/cache/zypp/packages"})
    for (const std::string &repository : node.peek_folder(cache).value.value_or(std::vector<std::string>()))
      for (const std::string_view folder : {"packages", "x86_64", "aarch64"})
        add_files(node, fmt::format("{}/{}/{}", cache, repository, folder), list);
  // An empty document would mean that nobody answered.
  return fact<std::string>::known(list.empty() ? "none\n" : list, "package caches");
}

std::set<driver_release> earlier_releases(const fact<std::vector<package_transaction>> &history) {
  std::set<driver_release> releases;
  if (history.is_known())
    for (const package_transaction &transaction : *history)
      for (const package_change &change : transaction.changes)
        if (auto before = change.release_before())
          releases.insert(*std::move(before));
  return releases;
}

fact<std::string> read_apt_lists(host &node, const std::set<driver_release> &wanted) {
  const std::string source(apt_lists);
  const fact<std::vector<std::string>> names = node.peek_folder(apt_lists);
  if (!names.is_known())
    return names.is_absent() ? fact<std::string>::absent(source) : fact<std::string>::unknown(source, *names.problem);
  std::vector<obtainable_package> offers;
  std::size_t bytes = 0;
  for (const std::string &name : *names) {
    if (name.find("_Packages.") != name.npos)
      return fact<std::string>::unknown(source, name + " is compressed");
    if (!name.ends_with("_Packages"))
      continue;
    const fact<std::string> text = node.peek_file(fmt::format("{}/{}", apt_lists, name), most_list_bytes);
    if (text.is_unknown())
      return text;
    bytes += text.is_known() ? text->size() : 0;
    if (bytes > most_bytes_together)
      return fact<std::string>::unknown(source, "the lists are too long");
    if (text.is_known())
      parse_apt_list(*text, name, wanted, offers);
  }
  std::string list;
  for (const obtainable_package &offer : offers)
    list += fmt::format("{} {} {}\n", offer.name, offer.version.text, offer.where);
  return fact<std::string>::known(list.empty() ? "none\n" : list, source);
}

} // namespace

std::vector<obtainable_package> parse_package_paths(std::string_view text) {
  std::vector<obtainable_package> packages;
  while (!text.empty()) {
    const std::string_view path = trim(take_line(text));
    auto package = parse_file_name(base_name(path));
    if (!package || !driver_release_of(package->name, package->version))
      continue;
    package->where = path;
    packages.push_back(*std::move(package));
  }
  return packages;
}

void parse_apt_list(std::string_view text, std::string_view source, const std::set<driver_release> &wanted,
                    std::vector<obtainable_package> &offered) {
  constexpr std::string_view name_field = "Package: ", version_field = "Version: ";
  std::string_view name, version;
  const auto end_stanza = [&] {
    if (!name.empty() && !version.empty() && offered.size() < most_offers) {
      const package_version stated{std::string(version)};
      if (const auto release = driver_release_of(name, stated); release && wanted.contains(*release))
        offered.push_back({std::string(name), stated, std::string(source)});
    }
    name = version = {};
  };
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty())
      end_stanza();
    else if (line.starts_with(name_field)) {
      const std::string_view stated = trim(line.substr(name_field.size()));
      // Nearly all stanzas are of other packages.
      name = stated.find("nv") != stated.npos || stated.find("cuda") != stated.npos ? stated : std::string_view();
    } else if (line.starts_with(version_field))
      version = trim(line.substr(version_field.size()));
  }
  end_stanza();
}

std::vector<obtainable_package> parse_offers(std::string_view text) {
  std::vector<obtainable_package> offers;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view name = take_word(line), version = take_word(line);
    if (!version.empty())
      offers.push_back({std::string(name), {std::string(version)}, std::string(trim(line))});
  }
  return offers;
}

old_packages read_old_packages(host &node, const fact<std::vector<package_transaction>> &history, bool may_read_lists) {
  const fact<std::string> kept = node.read_document("commands/cached_packages.txt", [&] { return list_caches(node); });
  const std::set<driver_release> wanted = earlier_releases(history);
  const fact<std::string> offered = node.read_document("commands/apt_offers.txt", [&] {
    if (!may_read_lists)
      return fact<std::string>::unknown(std::string(apt_lists), "needs --deep");
    if (wanted.empty())
      return fact<std::string>::unknown(std::string(apt_lists), "no log knows an earlier release");
    return read_apt_lists(node, wanted);
  });
  return {kept.then([](const std::string &text) { return std::optional(parse_package_paths(text)); }, ""),
          offered.then([](const std::string &text) { return std::optional(parse_offers(text)); }, "")};
}

} // namespace gpucert
