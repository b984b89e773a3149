// SPDX-License-Identifier: Apache-2.0
// Puts the messages of a kernel log together, one after the other, in bounded memory.
#pragma once

#include "node/kernel_lines.h"
#include "node/kernel_log.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gpucert {

class kernel_log_builder {
public:
  /// One line without its prefix, in the order of the log. Its text must stay until the log is finished.
  void take(kernel_line line);
  /// The log of the last boot that was seen. Call it once, at the end.
  kernel_log finish();

private:
  /// An Xid that is not read yet.
  struct xid_line {
    std::size_t place = 0; // in the log
    kernel_line line;
    std::string_view text;
    int count = 1;
  };
  using xid_key = std::tuple<std::optional<std::string>, int, bool>; // GPU, number, of an NVSwitch
  struct xid_series {
    int kept = 0;
    std::optional<xid_line> last; // stands for all that came after those kept
  };
  /// Messages of one shape: the same words, and the same device, with whatever numbers.
  struct shape {
    xid_series *xids = nullptr;           // where they are Xids
    std::optional<std::size_t> statement; // its place in the list; none where it says nothing that is kept
    std::optional<kernel_topic> topic;
    bool is_of_interest = false; // of the driver, or of a topic
    repeated_message repeated;
    std::optional<double> first_time, last_time, window_start; // a window of one second
    std::int64_t in_window = 0;
  };
  /// A statement whose other lines may follow.
  struct open_statement {
    kernel_line first;
    std::string text;
    int lines = 1;
  };

  void notice_jump_back(const kernel_line &line);
  bool continue_statement(std::string_view message);
  void close_statement();
  void add_message(const kernel_line &line, std::string_view text);
  void make_room();
  shape make_shape(const kernel_line &line, std::string_view text);
  std::optional<std::size_t> add_statement(kernel_statement statement, const kernel_line &line);
  static void count_in_second(shape &known, double time);
  void add_mismatch(const kernel_line &line, std::string_view text);
  void add_xid(xid_series &series, const kernel_line &line, std::string_view text);
  void keep_xid(const xid_line &kept);

  kernel_log log_;
  kernel_line last_; // of which a continuation takes the time
  std::optional<double> last_stamp_;
  std::optional<open_statement> open_;
  std::unordered_map<std::uint64_t, shape> shapes_;
  std::map<xid_key, xid_series> series_;
  std::vector<std::pair<std::size_t, xid_event>> xids_; // with their place in the log
  std::size_t xid_count_ = 0;
};

} // namespace gpucert
