// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_log_builder.h"

#include "node/nvrm_reports.h"
#include "node/text_lines.h"

#include <algorithm>

namespace gpucert {
namespace {

constexpr std::string_view nvrm = "NVRM:";

// What is kept of a log that never ends. A node has some tens of GPUs, and a driver some hundreds of messages.
constexpr std::ptrdiff_t most_statements_of_topic = 64;
constexpr std::size_t most_shapes = 4096, most_mismatches = 256, most_other_drivers = 64, most_xid_series = 512;
constexpr int most_alike_xids = 8;
constexpr int most_statement_lines = 6;          // the longest has five
constexpr std::size_t most_message_bytes = 1024; // printk cuts there
constexpr std::size_t most_repeated = 16;
constexpr std::int64_t least_repetitions = 50;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_word_letter(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool is_number_letter(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'f') || letter == 'x' || letter == '_';
}

/// "NVRM: Xid (PCI:0000:01:00): 79", "nvidia-nvswitch0: SXid (...)".
bool is_of_xid(std::string_view text) {
  constexpr std::size_t latest = 26; // where the word may end
  return text.substr(0, latest).find("Xid (") != text.npos;
}

/// The same for messages that differ in numbers only, decimal or hexadecimal ("0x7f29_5b8c9000"). Numbers beside a
/// colon count, since they belong to an address.
std::uint64_t shape_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U; // FNV-1a
  const auto add = [&](char letter) { hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U; };
  const bool is_xid = is_of_xid(text); // whose number is the message
  for (std::size_t at = 0; at < text.size();) {
    std::size_t stop = at;
    bool has_digit = false, is_number = true;
    for (; stop < text.size() && is_word_letter(text[stop]); ++stop) {
      has_digit = has_digit || is_digit(text[stop]);
      is_number = is_number && is_number_letter(text[stop]);
    }
    if (stop == at) {
      add(text[at++]);
      continue;
    }
    const bool is_address = (at > 0 && text[at - 1] == ':') || text.substr(stop, 1) == ":" ||
                            (is_xid && at > 2 && text.substr(at - 3, 3) == "): ");
    for (; at < stop; ++at)
      if (is_address || !has_digit || (!is_number && !is_digit(text[at])))
        add(text[at]);
  }
  return hash;
}

/// "Linux version 5.15.0 ..." opens the log of a boot, and journalctl draws a line between boots.
bool opens_boot(std::string_view message) {
  constexpr std::string_view kernel = "Linux version ";
  return (message.starts_with(kernel) && message.size() > kernel.size() && is_digit(message[kernel.size()])) ||
         message.starts_with("-- Boot ") || message.starts_with("-- Reboot --");
}

bool is_new_statement(std::string_view message) {
  return spans_lines(message) || message.starts_with("NVRM: Xid") || message.starts_with("NVRM: GPU ") ||
         message.starts_with("NVRM: loading ");
}

std::optional<double> time_of(const kernel_line &line) {
  return line.seconds_since_boot ? line.seconds_since_boot : seconds_of_wall_time(line.wall_time);
}

void append_words(std::string &text, std::string_view more) {
  for (std::string_view word = take_word(more); !word.empty(); word = take_word(more)) {
    if (!text.empty())
      text += ' ';
    text += word;
  }
}

} // namespace

void kernel_log_builder::notice_jump_back(const kernel_line &line) {
  // Stamps of several processors may be out of order by a little. A boot's first messages of the driver come within
  // minutes; a jump back to later than that is a log put together by hand.
  constexpr double least_jump_back_s = 5, latest_start_s = 300;
  const auto stamp = line.seconds_since_boot;
  const bool jumps_back = stamp && last_stamp_ && *stamp + least_jump_back_s < *last_stamp_ && *stamp < latest_start_s;
  if (jumps_back)
    *this = kernel_log_builder();
  if (stamp)
    last_stamp_ = stamp;
}

bool kernel_log_builder::continue_statement(std::string_view message) {
  if (!open_ || !message.starts_with(nvrm) || is_new_statement(message))
    return false;
  append_words(open_->text, message.substr(nvrm.size()));
  ++open_->lines;
  if (open_->text.ends_with('.') || open_->lines == most_statement_lines)
    close_statement();
  return true;
}

void kernel_log_builder::close_statement() {
  if (!open_)
    return;
  const open_statement statement = *std::exchange(open_, std::nullopt);
  if (statement.text.find("API mismatch:") != std::string::npos)
    add_mismatch(statement.first, statement.text);
  add_message(statement.first, statement.text);
}

void kernel_log_builder::take(kernel_line line) {
  line.message = line.message.substr(0, most_message_bytes);
  if (opens_boot(line.message)) {
    *this = kernel_log_builder();
    last_ = line;
    last_stamp_ = line.seconds_since_boot;
    return;
  }
  if (!line.seconds_since_boot && line.wall_time.empty()) { // a continuation of one printk
    line.seconds_since_boot = last_.seconds_since_boot;
    line.wall_time = last_.wall_time;
  } else {
    notice_jump_back(line);
  }
  last_ = line;
  if (continue_statement(line.message))
    return;
  if (line.message.starts_with(nvrm) || !open_)
    close_statement();
  if (!spans_lines(line.message))
    return add_message(line, line.message);
  open_ = open_statement{line, {}, 1};
  append_words(open_->text, line.message);
  if (open_->text.ends_with('.'))
    close_statement();
}

void kernel_log_builder::add_message(const kernel_line &line, std::string_view text) {
  const std::uint64_t key = shape_of(text);
  auto found = shapes_.find(key);
  if (found == shapes_.end()) { // only what was not seen yet is read
    make_room();
    found = shapes_.emplace(key, make_shape(line, text)).first;
  }
  shape &known = found->second;
  if (known.xids != nullptr)
    add_xid(*known.xids, line, text);
  if (known.topic)
    ++log_.messages[*known.topic];
  if (known.statement)
    ++log_.statements[*known.statement].count;
  ++known.repeated.count;
  if (const auto time = time_of(line))
    count_in_second(known, *time);
}

/// Forgets shapes that are of no importance when there are too many, and all of them when that does not help: then
/// something alike is listed twice.
void kernel_log_builder::make_room() {
  if (shapes_.size() < most_shapes)
    return;
  std::erase_if(shapes_, [](const auto &entry) {
    return !entry.second.topic && entry.second.repeated.count < least_repetitions;
  });
  if (shapes_.size() > most_shapes / 2)
    shapes_.clear();
}

kernel_log_builder::shape kernel_log_builder::make_shape(const kernel_line &line, std::string_view text) {
  shape made;
  made.repeated.text = text;
  made.is_of_interest = text.starts_with("NVRM") || text.starts_with("nvidia");
  if (const auto event = is_of_xid(text) ? parse_xid(text) : std::nullopt) {
    const xid_key key{event->address, event->xid, event->is_sxid};
    if (series_.size() < most_xid_series || series_.contains(key))
      made.xids = &series_[key];
    return made;
  }
  if (auto report = parse_other_driver(text); report && log_.other_drivers.size() < most_other_drivers)
    log_.other_drivers.push_back(*std::move(report));
  if (auto statement = parse_kernel_statement(text)) {
    made.topic = statement->topic;
    made.is_of_interest = true;
    made.statement = add_statement(*std::move(statement), line);
  }
  return made;
}

std::optional<std::size_t> kernel_log_builder::add_statement(kernel_statement statement, const kernel_line &line) {
  const auto of_topic = [&](const kernel_statement &known) { return known.topic == statement.topic; };
  if (std::count_if(log_.statements.begin(), log_.statements.end(), of_topic) >= most_statements_of_topic)
    return std::nullopt; // so that no topic crowds out another
  statement.seconds_since_boot = line.seconds_since_boot;
  statement.wall_time = line.wall_time;
  statement.count = 0; // its shape counts
  log_.statements.push_back(std::move(statement));
  return log_.statements.size() - 1;
}

void kernel_log_builder::count_in_second(shape &known, double time) {
  known.first_time = known.first_time.value_or(time);
  known.last_time = time;
  if (!known.window_start || time - *known.window_start >= 1 || time < *known.window_start) {
    known.window_start = time;
    known.in_window = 0;
  }
  known.repeated.most_in_one_second = std::max(known.repeated.most_in_one_second, ++known.in_window);
}

/// The message repeats with every call of the client, thousands of times a day: counted, not listed.
void kernel_log_builder::add_mismatch(const kernel_line &line, std::string_view text) {
  auto mismatch = parse_api_mismatch(text);
  if (!mismatch)
    return;
  mismatch->seconds_since_boot = line.seconds_since_boot;
  mismatch->wall_time = line.wall_time;
  std::vector<api_mismatch> &list = log_.api_mismatches;
  const auto same = std::find_if(list.begin(), list.end(), [&](const api_mismatch &known) {
    return known.client == mismatch->client && known.module == mismatch->module &&
           known.client_name == mismatch->client_name;
  });
  if (same != list.end())
    ++same->count;
  else if (list.size() < most_mismatches)
    list.push_back(*std::move(mismatch));
}

void kernel_log_builder::add_xid(xid_series &series, const kernel_line &line, std::string_view text) {
  const std::size_t place = xid_count_++;
  if (series.kept < most_alike_xids) {
    ++series.kept;
    return keep_xid({place, line, text, 1});
  }
  series.last = {place, line, text, series.last ? series.last->count + 1 : 1}; // read only if it stays the last
}

void kernel_log_builder::keep_xid(const xid_line &kept) {
  auto event = parse_xid(kept.text);
  if (!event)
    return;
  event->seconds_since_boot = kept.line.seconds_since_boot;
  event->wall_time = kept.line.wall_time;
  event->count = kept.count;
  xids_.emplace_back(kept.place, *std::move(event));
}

kernel_log kernel_log_builder::finish() {
  close_statement();
  for (auto &[key, series] : series_)
    if (series.last)
      keep_xid(*series.last);
  std::sort(xids_.begin(), xids_.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto &[place, event] : xids_)
    log_.xids.push_back(std::move(event));
  for (auto &[key, known] : shapes_) {
    if (!known.is_of_interest || known.repeated.count < least_repetitions)
      continue;
    if (known.first_time)
      known.repeated.seconds = *known.last_time - *known.first_time;
    log_.repeated.push_back(std::move(known.repeated));
  }
  std::sort(log_.repeated.begin(), log_.repeated.end(), [](const repeated_message &a, const repeated_message &b) {
    return std::tie(b.count, a.text) < std::tie(a.count, b.text);
  });
  if (log_.repeated.size() > most_repeated)
    log_.repeated.resize(most_repeated);
  return std::move(log_);
}

} // namespace gpucert
