// SPDX-License-Identifier: Apache-2.0
// /var/log/dnf.rpm.log of dnf 4: see parse_dnf_log. The words are those of FILE_ACTIONS in dnf/transaction.py.
#include "node/package_history.h"
#include "node/package_text.h"

#include <array>
#include <map>
#include <tuple>

namespace gpucert {
namespace {

enum class side { before, after };

struct dnf_word {
  std::string_view word;
  package_action action;
  side stated;
};

constexpr std::array dnf_words{
    dnf_word{"Installed", package_action::install, side::after},
    dnf_word{"Upgrade", package_action::upgrade, side::after},
    dnf_word{"Upgraded", package_action::upgrade, side::before}, // the old one
    dnf_word{"Downgrade", package_action::downgrade, side::after},
    dnf_word{"Downgraded", package_action::downgrade, side::before},
    dnf_word{"Reinstall", package_action::reinstall, side::after},
    dnf_word{"Reinstalled", package_action::reinstall, side::before},
    dnf_word{"Erase", package_action::remove, side::before},
    dnf_word{"Erased", package_action::remove, side::before},
    dnf_word{"Obsoleted", package_action::remove, side::before},
};

const dnf_word *find_word(std::string_view word) {
  for (const dnf_word &known : dnf_words)
    if (known.word == word)
      return &known;
  return nullptr;
}

struct dnf_line {
  log_time time;
  std::string_view text;
};

class dnf_log_reader {
public:
  explicit dnf_log_reader(std::string_view source) : source_{source} {}

  void take(dnf_line &&line) {
    // Without its first line a log still has pauses between transactions.
    constexpr std::chrono::minutes longest_transaction_pause{10};
    if (line.text == "--- logging initialized ---" ||
        (!transactions_.empty() && line.time.local - transactions_.back().end->local > longest_transaction_pause))
      is_inside_ = false;

    const std::size_t colon = line.text.find(": ");
    const dnf_word *word = colon == line.text.npos ? nullptr : find_word(line.text.substr(0, colon));
    auto package = word ? parse_rpm_package(line.text.substr(colon + 2)) : std::nullopt;
    if (package) {
      if (!is_inside_)
        begin(line.time);
      add(*word, *std::move(package));
    } else if (is_inside_ && !transactions_.back().error && line.text.find("scriptlet failed") != line.text.npos) {
      transactions_.back().error = line.text; // "warning: %post(nvidia-driver-…) scriptlet failed, exit status 1"
    }
    if (is_inside_)
      transactions_.back().end = std::move(line.time);
  }

  std::vector<package_transaction> finish() && { return std::move(transactions_); }

private:
  using change_key = std::tuple<package_action, std::string, std::optional<std::string>>;

  void begin(const log_time &time) {
    package_transaction &transaction = transactions_.emplace_back();
    transaction.source = source_;
    transaction.start = time;
    open_changes_.clear();
    is_inside_ = true;
  }

  /// Puts the two lines of one upgrade together, in whatever order they come.
  void add(const dnf_word &word, installed_package &&package) {
    std::vector<package_change> &changes = transactions_.back().changes;
    const bool has_two_lines = word.action != package_action::install && word.action != package_action::remove;
    change_key key{word.action, package.name, package.architecture};
    if (const auto open = open_changes_.find(key); has_two_lines && open != open_changes_.end()) {
      package_change &change = changes[open->second];
      auto &missing = word.stated == side::before ? change.before : change.after;
      if (!missing) {
        missing = std::move(package.version);
        return;
      }
    }
    package_change change{word.action, std::move(package.name), std::move(package.architecture), {}, {}};
    (word.stated == side::before ? change.before : change.after) = std::move(package.version);
    open_changes_[std::move(key)] = changes.size();
    changes.push_back(std::move(change));
  }

  std::string_view source_;
  std::vector<package_transaction> transactions_;
  bool is_inside_ = false;                         // the last transaction goes on
  std::map<change_key, std::size_t> open_changes_; // index of the change with that name, in the last transaction
};

/// "2026-02-14T09:30:12+0000 SUBDEBUG Upgrade: openssl-libs-1:3.2.2-6.el9.x86_64"
std::optional<dnf_line> parse_dnf_line(std::string_view line) {
  auto time = parse_log_time(take_word(line));
  if (!time)
    return std::nullopt;
  take_word(line); // the level
  return dnf_line{*std::move(time), without_blanks(line)};
}

} // namespace

std::vector<package_transaction> parse_dnf_log(std::string_view text, std::string_view source) {
  dnf_log_reader reader{source};
  while (const auto text_line = next_line(text))
    if (auto line = parse_dnf_line(*text_line))
      reader.take(*std::move(line));
  return std::move(reader).finish();
}

} // namespace gpucert
