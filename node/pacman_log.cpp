// SPDX-License-Identifier: Apache-2.0
// /var/log/pacman.log: see parse_pacman_log.
#include "node/package_history.h"
#include "node/package_text.h"

#include <array>

namespace gpucert {
namespace {

struct pacman_line {
  log_time time;
  std::string_view tag; // ALPM, PACMAN, ALPM-SCRIPTLET; empty before pacman 4.1 (2013)
  std::string_view text;
};

std::optional<std::string_view> take_bracketed(std::string_view &rest) {
  const std::size_t close = rest.find(']');
  if (!rest.starts_with('[') || close == rest.npos)
    return std::nullopt;
  const std::string_view inside = rest.substr(1, close - 1);
  rest = without_blanks(rest.substr(close + 1));
  return inside;
}

std::optional<pacman_line> parse_pacman_line(std::string_view line) {
  const auto stamp = take_bracketed(line);
  if (!stamp)
    return std::nullopt;
  auto time = parse_log_time(*stamp);
  if (!time)
    return std::nullopt;
  const std::string_view tag = take_bracketed(line).value_or(std::string_view{});
  return pacman_line{*std::move(time), tag, line};
}

struct pacman_verb {
  std::string_view verb;
  package_action action;
};

constexpr std::array pacman_verbs{
    pacman_verb{"installed", package_action::install},     pacman_verb{"upgraded", package_action::upgrade},
    pacman_verb{"downgraded", package_action::downgrade},  pacman_verb{"removed", package_action::remove},
    pacman_verb{"reinstalled", package_action::reinstall},
};

/// "upgraded nvidia-utils (610.57.04-1 -> 615.71.09-1)", "removed nvidia (470.256.02-1)"
std::optional<package_change> parse_change(std::string_view text) {
  const std::string_view verb = take_word(text);
  for (const pacman_verb &known : pacman_verbs) {
    if (known.verb != verb)
      continue;
    const auto name = parse_package_name(take_word(text));
    text = without_blanks(text);
    if (!name || !text.starts_with('(') || !text.ends_with(')'))
      return std::nullopt;
    std::string_view versions = text.substr(1, text.size() - 2);
    const std::string_view first = take_word(versions);
    const bool is_pair = take_word(versions) == "->";
    const std::string_view second = is_pair ? take_word(versions) : first;
    package_change change{known.action, name->name, name->architecture, {}, {}};
    if (known.action != package_action::install)
      change.before = parse_package_version(first);
    if (known.action != package_action::remove)
      change.after = parse_package_version(second);
    return change;
  }
  return std::nullopt;
}

/// What DKMS, mkinitcpio and pacman print when a hook fails.
bool is_hook_error(const pacman_line &line) {
  return line.text.starts_with("==> ERROR") || line.text.starts_with("Error!") || line.text.starts_with("error:");
}

class pacman_log_reader {
public:
  explicit pacman_log_reader(std::string_view source) : source_{source} {}

  void take(const pacman_line &line) {
    const bool is_own_word = line.tag == "ALPM" || line.tag.empty(); // a script can print anything
    if (line.tag == "PACMAN") {
      take_command(line.text);
    } else if (is_own_word && line.text.starts_with("transaction ")) {
      take_mark(line);
    } else if (auto change = is_own_word ? parse_change(line.text) : std::nullopt) {
      if (!is_open_)
        begin(line.time, transaction_outcome::unstated); // pacman before 4.2 logged no "transaction started"
      transactions_.back().changes.push_back(*std::move(change));
      transactions_.back().end = line.time;
    } else if (is_hook_error(line)) {
      take_error(line);
    }
  }

  std::vector<package_transaction> finish() && { return std::move(transactions_); }

private:
  void begin(const log_time &time, transaction_outcome outcome) {
    package_transaction &transaction = transactions_.emplace_back();
    transaction.source = source_;
    transaction.start = time;
    transaction.command_line = command_line_;
    transaction.outcome = outcome;
    is_open_ = true;
    is_new_command_ = false;
  }

  /// "Running 'pacman -Syu'"
  void take_command(std::string_view text) {
    constexpr std::string_view before = "Running '";
    if (!text.starts_with(before))
      return;
    text.remove_prefix(before.size());
    command_line_ = std::string{text.substr(0, text.rfind('\''))};
    is_open_ = false;
    is_new_command_ = true;
  }

  void take_mark(const pacman_line &line) {
    const std::string_view mark = line.text.substr(std::string_view{"transaction "}.size());
    if (mark == "started") {
      begin(line.time, transaction_outcome::interrupted); // until it says "completed"
      return;
    }
    if (!is_open_)
      return;
    transactions_.back().end = line.time;
    transactions_.back().outcome = mark == "completed" ? transaction_outcome::finished
                                   : mark == "failed"  ? transaction_outcome::failed
                                                       : transaction_outcome::interrupted;
    is_open_ = false;
  }

  void take_error(const pacman_line &line) {
    if (transactions_.empty() || is_new_command_) { // the text begins in the middle, or a hook ran by itself
      begin(line.time, transaction_outcome::unstated);
      is_open_ = false;
    }
    if (!transactions_.back().error)
      transactions_.back().error = line.text;
  }

  std::string_view source_;
  std::vector<package_transaction> transactions_;
  std::optional<std::string> command_line_;
  bool is_open_ = false;
  bool is_new_command_ = false; // the last transaction is of an earlier command
};

} // namespace

std::vector<package_transaction> parse_pacman_log(std::string_view text, std::string_view source) {
  pacman_log_reader reader{source};
  while (const auto text_line = next_line(text))
    if (const auto line = parse_pacman_line(*text_line))
      reader.take(*line);
  return std::move(reader).finish();
}

} // namespace gpucert
