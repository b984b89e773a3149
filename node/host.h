// SPDX-License-Identifier: Apache-2.0
// The node under examination: the machine we run on, a stored capture of one, or a bare file tree. Every path of a node
// goes through this object, so that what works on a capture works on the live node and the other way round.
#pragma once

#include "node/guarded_reader.h"
#include "node/reading.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// Receives all that is read, as it is read: this is how a capture is written. What the node does not have arrives as
/// an empty text, which a capture understands as "asked, and there was none".
class recorder {
public:
  virtual ~recorder() = default;
  /// A file at its path on the node, e.g. "/proc/modules".
  virtual void file(std::string_view path, std::string_view text) = 0;
  /// A document at its place in the capture, e.g. "commands/modinfo_nvidia.txt".
  virtual void document(std::string_view name, std::string_view text) = 0;
  /// A folder that was listed. It is kept even when nothing in it is: "no such device" is an answer.
  virtual void folder(std::string_view path) = 0;
};

enum class host_kind {
  live,    // this machine
  capture, // DIR/root is the file tree, beside commands/, symptoms/ and nvml.json; nothing else is known
  tree,    // a file tree without recorded commands
};

/// Which part of a long text is kept. Of a log it is the end, from a whole line on: the newest.
enum class kept_part { beginning, end };

class host {
public:
  struct options {
    host_kind kind = host_kind::live;
    std::filesystem::path folder = "/"; // of the capture or the tree
    std::chrono::milliseconds deadline{10000};
    std::chrono::milliseconds read_deadline{2000}; // of one read that may block, within the deadline above
    recorder *record = nullptr;                    // not owned
  };

  explicit host(options chosen);

  host_kind kind() const { return options_.kind; }
  bool is_live() const { return options_.kind == host_kind::live; }
  /// Files whose reading never ended, in order; those of processes apart, which may hang for reasons of their own.
  const std::vector<std::string> &hung_reads() const { return hung_reads_; }
  /// Time left for all questions together; never negative.
  std::chrono::milliseconds time_left() const;

  /// The text of a file. Absent: the node has no such file. Unknown: not in the capture, unreadable, or it blocked.
  /// A file longer than the limit is cut there. Links are resolved inside the root.
  fact<std::string> read_file(std::string_view path, std::size_t limit_bytes = std::size_t{256} << 20);

  /// The same, but not for the record: what is only looked through to find the facts, such as a binary cache.
  fact<std::string> peek_file(std::string_view path, std::size_t limit_bytes = std::size_t{256} << 20,
                              kept_part part = kept_part::beginning);

  /// The names in a folder, sorted. Absent and unknown as for files.
  fact<std::vector<std::string>> list_folder(std::string_view path);

  /// The same, but not for the record: for what a document of the capture will hold.
  fact<std::vector<std::string>> peek_folder(std::string_view path) const { return list_place(path); }

  /// Where a path leads after all links, as a path of the node. Nothing when it leads nowhere.
  std::optional<std::string> resolve(std::string_view path) const;
  /// The target of one link as it is written. Nothing when the path is no link.
  std::optional<std::string> read_link(std::string_view path) const;
  bool exists(std::string_view path) const { return resolve(path).has_value(); }

  /// A fact that no single file holds, such as the output of a command. A capture stores it under `name`; a live node
  /// or a tree answers through `ask`.
  fact<std::string> read_document(std::string_view name, const std::function<fact<std::string>()> &ask);
  /// A document that only a capture can have, such as what a person saw.
  fact<std::string> read_document(std::string_view name);
  /// A document that is a log: of a long one its last bytes, from a whole line on.
  fact<std::string> read_log_document(std::string_view name, std::size_t limit_bytes,
                                      const std::function<fact<std::string>()> &ask);
  /// The documents below a folder of a capture, e.g. "symptoms": names as for read_document. Empty elsewhere.
  std::vector<std::string> documents(std::string_view folder) const;

  /// The place of a node's path in the file system that we see, links resolved inside the root; for libraries that open
  /// files themselves. Nothing when it leads nowhere: what is not resolved could lead out of the root.
  std::optional<std::filesystem::path> place(std::string_view path) const;

private:
  template <class T> fact<T> unresolved(std::string_view path, int error) const;
  fact<std::string> read_place(const std::filesystem::path &place, std::string_view shown, std::size_t limit_bytes,
                               kept_part part = kept_part::beginning);
  fact<std::string> read_capture(std::string_view name, std::size_t limit_bytes, kept_part part);
  fact<std::vector<std::string>> list_place(std::string_view path) const;
  fact<std::string> answered(std::string text, std::string_view shown) const;
  fact<std::string> record_file(std::string_view path, fact<std::string> text);
  fact<std::string> record_document(std::string_view name, fact<std::string> text);
  template <class T> fact<T> missing(std::string_view path) const;

  std::vector<std::string> hung_reads_;
  options options_;
  std::string root_; // in front of every path of the node; empty for the live node
  std::chrono::steady_clock::time_point end_;
  guarded_reader guarded_;
};

} // namespace gpucert
