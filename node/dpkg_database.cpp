// SPDX-License-Identifier: Apache-2.0
// The database of dpkg: its status file and `dpkg -l`.
#include "node/package_database.h"
#include "node/package_text.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

struct state_name {
  package_state state;
  std::string_view word; // in the status file and in dpkg.log
  char letter;           // in `dpkg -l`
};

// dpkg(1), "Package states", and the legend in the header of `dpkg -l`.
constexpr std::array state_names{
    state_name{package_state::not_installed, "not-installed", 'n'},
    state_name{package_state::config_files, "config-files", 'c'},
    state_name{package_state::half_installed, "half-installed", 'H'},
    state_name{package_state::unpacked, "unpacked", 'U'},
    state_name{package_state::half_configured, "half-configured", 'F'},
    state_name{package_state::triggers_awaited, "triggers-awaited", 'W'},
    state_name{package_state::triggers_pending, "triggers-pending", 't'},
    state_name{package_state::installed, "installed", 'i'},
};

std::optional<package_state> state_of_letter(char letter) {
  for (const state_name &name : state_names)
    if (name.letter == letter)
      return name.state;
  return std::nullopt;
}

/// The fields of one stanza that are of interest, as views into the text.
struct status_stanza {
  std::string_view name, status, architecture, version;

  void take_field(std::string_view line) {
    // Called for each of 200,000 lines: the first letter sorts out nearly all.
    switch (line.front()) {
    case 'P':
      return take_field(line, "Package:", name);
    case 'S':
      return take_field(line, "Status:", status);
    case 'A':
      return take_field(line, "Architecture:", architecture);
    case 'V':
      return take_field(line, "Version:", version);
    default:
      return;
    }
  }

  std::optional<installed_package> to_package() const {
    std::string_view rest = status;
    const std::string_view wish = take_word(rest);
    const std::string_view flag = take_word(rest);
    const auto state = parse_package_state(take_word(rest));
    if (name.empty() || !state)
      return std::nullopt;
    installed_package package;
    package.name = name;
    if (!architecture.empty())
      package.architecture = architecture;
    package.version = parse_package_version(version);
    package.state = *state;
    package.is_held = wish == "hold" || flag.starts_with("hold"); // as a flag: dpkg before 1.13
    package.needs_reinstall = flag.ends_with("reinstreq");
    return package;
  }

private:
  static void take_field(std::string_view line, std::string_view key, std::string_view &value) {
    if (line.starts_with(key))
      value = without_blanks(line.substr(key.size()));
  }
};

/// The ruler of `dpkg -l` ("+++-======-======-") tells how wide the name may be.
std::optional<std::size_t> cut_width(std::string_view ruler) {
  // Written to a file or a pipe, the columns grow with the longest name and nothing is cut; only a terminal cuts, and
  // only there the ruler stays within its 80 columns.
  constexpr std::size_t narrow = 80;
  constexpr std::string_view left = "+++-";
  if (!ruler.starts_with(left) || ruler.size() > narrow)
    return std::nullopt;
  return ruler.substr(left.size()).find_first_not_of('=');
}

std::optional<installed_package> parse_list_row(std::string_view line) {
  constexpr std::string_view wishes = "uihrp"; // unknown, install, hold, remove, purge
  if (line.size() < 5 || wishes.find(line[0]) == wishes.npos || line[3] != ' ' || (line[2] != ' ' && line[2] != 'R'))
    return std::nullopt;
  const auto state = state_of_letter(line[1]);
  std::string_view rest = line.substr(4);
  const auto name = parse_package_name(take_word(rest));
  if (!state || !name)
    return std::nullopt;

  installed_package package;
  package.name = name->name;
  package.state = *state;
  package.is_held = line[0] == 'h';
  package.needs_reinstall = line[2] == 'R';
  package.version = parse_package_version(take_word(rest));
  package.architecture = name->architecture;
  const std::string_view column = take_word(rest);
  // Only a lower-case word is an architecture; in lists of dpkg before 1.16 the description follows the version.
  const bool is_word = column.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == column.npos;
  if (!column.empty() && is_word && !package.architecture)
    package.architecture = column;
  return package;
}

} // namespace

std::string_view to_string(package_state state) {
  return std::find_if(state_names.begin(), state_names.end(), [&](const auto &name) { return name.state == state; })
      ->word;
}

std::optional<package_state> parse_package_state(std::string_view word) {
  for (const state_name &name : state_names)
    if (name.word == word)
      return name.state;
  return std::nullopt;
}

std::vector<installed_package> parse_dpkg_status(std::string_view text) {
  std::vector<installed_package> packages;
  status_stanza stanza;
  const auto finish_stanza = [&] {
    if (auto package = stanza.to_package())
      packages.push_back(*std::move(package));
    stanza = {};
  };
  while (const auto line = next_line(text)) {
    if (line->empty())
      finish_stanza();
    else
      stanza.take_field(*line);
  }
  finish_stanza();
  return packages;
}

std::vector<installed_package> parse_dpkg_list(std::string_view text) {
  std::vector<installed_package> packages;
  std::optional<std::size_t> width;
  while (const auto line = next_line(text)) {
    if (line->starts_with("+++-")) {
      width = cut_width(*line);
    } else if (auto package = parse_list_row(*line)) {
      const std::size_t arch = package->architecture ? package->architecture->size() + 1 : 0;
      package->is_name_cut = width && (package->name.size() == *width || package->name.size() + arch == *width);
      packages.push_back(*std::move(package));
    }
  }
  return packages;
}

} // namespace gpucert
