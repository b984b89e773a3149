// SPDX-License-Identifier: Apache-2.0
// /var/log/zypp/history of libzypp: see parse_zypp_history.
#include "node/package_history.h"
#include "node/package_text.h"

#include <map>
#include <utility>

namespace gpucert {
namespace {

/// Takes the next field off `rest`. libzypp writes a '|' inside a field as "\|".
std::string_view take_field(std::string_view &rest) {
  std::size_t end = rest.find('|');
  while (end != rest.npos && end > 0 && rest[end - 1] == '\\')
    end = rest.find('|', end + 1);
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return without_blanks(field); // "remove " is padded
}

/// Kernels are installed side by side: a new one does not replace the last.
bool is_kept_beside_others(std::string_view name) {
  return name.starts_with("kernel-") && !name.starts_with("kernel-firmware");
}

class zypp_history_reader {
public:
  explicit zypp_history_reader(std::string_view source) : source_{source} {}

  void take(std::string_view line) {
    auto time = parse_log_time(take_field(line));
    if (!time)
      return; // '#' begins output of rpm
    const std::string_view action = take_field(line);
    if (action == "command") {
      take_field(line); // user@host
      package_transaction &transaction = begin(*time);
      transaction.command_line = take_field(line);
      is_open_ = true;
    } else if (action == "install" || action == "remove") {
      take_change(*time, action == "install" ? package_action::install : package_action::remove, line);
    }
  }

  std::vector<package_transaction> finish() && {
    std::erase_if(transactions_, [](const auto &transaction) { return transaction.changes.empty(); });
    return std::move(transactions_);
  }

private:
  package_transaction &begin(const log_time &time) {
    package_transaction &transaction = transactions_.emplace_back();
    transaction.source = source_;
    transaction.start = time;
    transaction.end = time;
    return transaction;
  }

  void take_change(log_time &time, package_action action, std::string_view line) {
    const auto name = parse_package_name(take_field(line));
    auto version = parse_package_version(take_field(line));
    const std::string_view architecture = take_field(line);
    if (!name || !version)
      return;
    // libzypp before 2015 wrote no command; then a pause tells.
    constexpr std::chrono::minutes longest_transaction_pause{10};
    if (!is_open_ &&
        (transactions_.empty() || time.local - transactions_.back().end->local > longest_transaction_pause))
      begin(time);
    package_change change{action, name->name, std::nullopt, std::nullopt, std::nullopt};
    if (!architecture.empty())
      change.architecture = architecture;

    auto &last = last_version_[{change.name, std::string{architecture}}];
    if (action == package_action::remove) {
      change.before = std::move(version);
      last.reset();
    } else {
      if (!is_kept_beside_others(change.name))
        change.before = std::move(last);
      last = version;
      change.after = std::move(version);
    }
    transactions_.back().changes.push_back(std::move(change));
    transactions_.back().end = std::move(time);
  }

  std::string_view source_;
  std::vector<package_transaction> transactions_;
  bool is_open_ = false; // a command began the last transaction
  std::map<std::pair<std::string, std::string>, std::optional<package_version>> last_version_;
};

} // namespace

std::vector<package_transaction> parse_zypp_history(std::string_view text, std::string_view source) {
  zypp_history_reader reader{source};
  while (const auto line = next_line(text))
    reader.take(*line);
  return std::move(reader).finish();
}

} // namespace gpucert
