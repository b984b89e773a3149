// SPDX-License-Identifier: Apache-2.0
#include "node/host.h"

#include "node/file_descriptor.h"
#include "node/rooted_path.h"
#include "node/wrong_input.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

// File systems of the kernel: the reads that may block for ever, and the folders that a bare tree rarely has.
constexpr std::array<std::string_view, 3> kernel_folders{"/proc", "/sys", "/dev"};

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

const std::string_view *kernel_folder_of(std::string_view path) {
  const auto found = std::find_if(kernel_folders.begin(), kernel_folders.end(),
                                  [&](std::string_view folder) { return is_below(path, folder); });
  return found == kernel_folders.end() ? nullptr : &*found;
}

/// Moves on to the last `limit` bytes. Returns whether anything was left out.
bool skip_to_end(int descriptor, std::size_t limit) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && about.st_size > static_cast<off_t>(limit) &&
         ::lseek(descriptor, about.st_size - static_cast<off_t>(limit), SEEK_SET) > 0;
}

std::string read_descriptor(int descriptor, std::size_t limit, int &error) {
  std::string text;
  struct stat about {};
  if (::fstat(descriptor, &about) == 0 && about.st_size > 0)
    text.reserve(std::min(limit, static_cast<std::size_t>(about.st_size)));
  std::array<char, 65536> buffer{};
  while (text.size() < limit) {
    const ssize_t got = read_some(descriptor, buffer.data(), std::min(buffer.size(), limit - text.size()));
    if (got < 0)
      error = errno;
    if (got <= 0)
      break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

void require_folder(const fs::path &folder, host_kind kind) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found)
    throw wrong_input(fmt::format("{}: no such folder", folder.string()), "name the folder of a capture or a tree");
  if (error)
    throw unreadable_input(fmt::format("{}: {}", folder.string(), error.message()), "check its permissions");
  if (status.type() != fs::file_type::directory)
    throw wrong_input(fmt::format("{}: is not a folder", folder.string()), "unpack it, and name the folder");
  const fs::directory_iterator entries(folder, error);
  if (error)
    throw unreadable_input(fmt::format("{}: {}", folder.string(), error.message()), "check its permissions");
  if (kind != host_kind::capture)
    return;
  const auto is_part = [](const fs::directory_entry &entry) {
    const std::string name = entry.path().filename();
    return name == "root" || name == "commands" || name == "symptoms" || name == "nvml.json";
  };
  if (std::none_of(begin(entries), end(entries), is_part))
    throw wrong_input(
        fmt::format("{}: is not a capture (no root/, commands/, symptoms/ or nvml.json in it)", folder.string()),
        "use --tree for a bare file tree");
}

/// What stands in front of a node's paths, which begin with a slash.
std::string prefix_of(const fs::path &folder) {
  std::string prefix = folder.string();
  while (prefix.ends_with('/'))
    prefix.pop_back();
  return prefix;
}

/// The folder root/ of a capture, which may be a link inside it. A capture without one has documents only.
std::string find_tree_of_capture(const std::string &capture) {
  const resolution tree = follow_inside(capture, "/root");
  if (!tree.path && tree.error != ENOENT)
    throw unreadable_input(fmt::format("{}/root: {}", capture, std::strerror(tree.error)), "check its permissions");
  if (!tree.path && read_link_inside(capture, "/root"))
    throw wrong_input(fmt::format("{}/root: is a link that leads nowhere inside the capture", capture),
                      "put the folder itself there");
  return tree.path.value_or("/root");
}

} // namespace

host::host(options chosen) : options_(std::move(chosen)), end_(std::chrono::steady_clock::now() + options_.deadline) {
  if (is_live())
    return; // the root is the empty prefix
  require_folder(options_.folder, options_.kind);
  options_.folder = fs::canonical(options_.folder); // libraries that are given a place answer with absolute paths
  root_ = prefix_of(options_.folder);
  if (options_.kind == host_kind::capture)
    root_ = prefix_of(fmt::format("{}{}", root_, find_tree_of_capture(root_)));
}

std::chrono::milliseconds host::time_left() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds{0});
}

std::optional<std::string> host::read_link(std::string_view path) const {
  const auto slash = std::min(path.rfind('/'), path.size());
  const std::optional<std::string> folder = resolve(path.substr(0, slash));
  return folder ? read_link_inside(root_, fmt::format("{}{}", *folder, path.substr(slash))) : std::nullopt;
}

std::optional<std::string> host::resolve(std::string_view path) const { return resolve_inside(root_, path); }

std::optional<fs::path> host::place(std::string_view path) const {
  const std::optional<std::string> resolved = resolve(path);
  return resolved ? std::optional<fs::path>(fmt::format("{}{}", root_, *resolved)) : std::nullopt;
}

template <class T> fact<T> host::missing(std::string_view path) const {
  std::string source(path);
  if (options_.kind == host_kind::capture)
    return fact<T>::unknown(std::move(source), "not in the capture");
  const std::string_view *folder = kernel_folder_of(path);
  if (options_.kind == host_kind::tree && folder != nullptr && !exists(*folder))
    return fact<T>::unknown(std::move(source), fmt::format("{} is not in the tree", *folder));
  return fact<T>::absent(std::move(source));
}

template <class T> fact<T> host::unresolved(std::string_view path, int error) const {
  return error == ENOENT || error == ENOTDIR ? missing<T>(path)
                                             : fact<T>::unknown(std::string(path), std::strerror(error));
}

fact<std::string> host::answered(std::string text, std::string_view shown) const {
  if (options_.kind == host_kind::capture && text.empty())
    return fact<std::string>::absent(std::string(shown)); // asked, and there was no answer
  return fact<std::string>::known(std::move(text), std::string(shown));
}

fact<std::string> host::read_place(const fs::path &place, std::string_view shown, std::size_t limit_bytes,
                                   kept_part part) {
  struct stat about {};
  if (::stat(place.c_str(), &about) != 0)
    return unresolved<std::string>(shown, errno);
  if (S_ISDIR(about.st_mode))
    return fact<std::string>::unknown(std::string(shown), "is a folder");

  // Plain files of a disk are read here; what the kernel makes up, and what is no plain file, may block.
  if (S_ISREG(about.st_mode) && kernel_folder_of(shown) == nullptr) {
    const file_descriptor file(::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    int error = file.is_open() ? 0 : errno;
    const bool is_cut = part == kept_part::end && file.is_open() && skip_to_end(file.get(), limit_bytes);
    std::string text = file.is_open() ? read_descriptor(file.get(), limit_bytes, error) : std::string();
    if (error != 0)
      return fact<std::string>::unknown(std::string(shown), std::strerror(error));
    if (is_cut)
      text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1); // half a line
    return answered(std::move(text), shown);
  }
  const auto deadline = std::min(options_.read_deadline, time_left());
  guarded_answer answer = guarded_.read(place, limit_bytes, deadline);
  if (answer.timed_out()) {
    constexpr std::string_view processes = "/proc/";
    const bool is_of_process =
        shown.starts_with(processes) && shown.size() > processes.size() && std::isdigit(shown[processes.size()]) != 0;
    if (!is_of_process)
      hung_reads_.emplace_back(shown);
    return fact<std::string>::unknown(std::string(shown),
                                      fmt::format("reading it did not end within {} ms", deadline.count()));
  }
  if (answer.error == ENOENT) // gone between stat and open, as processes go
    return missing<std::string>(shown);
  if (answer.error != 0)
    return fact<std::string>::unknown(std::string(shown), std::strerror(answer.error));
  return answered(*std::move(answer.text), shown);
}

fact<std::string> host::record_file(std::string_view path, fact<std::string> text) {
  if (options_.record != nullptr && !text.is_unknown())
    options_.record->file(path, text.value.value_or(""));
  return text;
}

fact<std::string> host::record_document(std::string_view name, fact<std::string> text) {
  if (options_.record != nullptr && !text.is_unknown())
    options_.record->document(name, text.value.value_or(""));
  return text;
}

fact<std::string> host::peek_file(std::string_view path, std::size_t limit_bytes, kept_part part) {
  const resolution resolved = follow_inside(root_, path);
  return resolved.path ? read_place(fmt::format("{}{}", root_, *resolved.path), path, limit_bytes, part)
                       : unresolved<std::string>(path, resolved.error);
}

fact<std::string> host::read_file(std::string_view path, std::size_t limit_bytes) {
  return record_file(path, peek_file(path, limit_bytes));
}

fact<std::vector<std::string>> host::list_folder(std::string_view path) {
  fact<std::vector<std::string>> names = list_place(path);
  if (options_.record != nullptr && !names.is_unknown()) // a folder in the capture says that it was looked into
    options_.record->folder(path);
  return names;
}

fact<std::vector<std::string>> host::list_place(std::string_view path) const {
  const resolution resolved = follow_inside(root_, path);
  if (!resolved.path)
    return unresolved<std::vector<std::string>>(path, resolved.error);
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(fmt::format("{}{}", root_, *resolved.path), error), last; !error && entry != last;
       entry.increment(error))
    names.push_back(entry->path().filename());
  if (error)
    return fact<std::vector<std::string>>::unknown(std::string(path), error.message());
  std::sort(names.begin(), names.end());
  return fact<std::vector<std::string>>::known(std::move(names), std::string(path));
}

fact<std::string> host::read_document(std::string_view name, const std::function<fact<std::string>()> &ask) {
  if (options_.kind == host_kind::capture)
    return read_document(name);
  return record_document(name, ask());
}

fact<std::string> host::read_document(std::string_view name) {
  constexpr std::size_t limit_bytes = std::size_t{256} << 20;
  return read_capture(name, limit_bytes, kept_part::beginning);
}

fact<std::string> host::read_log_document(std::string_view name, std::size_t limit_bytes,
                                          const std::function<fact<std::string>()> &ask) {
  if (options_.kind == host_kind::capture)
    return read_capture(name, limit_bytes, kept_part::end);
  return record_document(name, ask());
}

fact<std::string> host::read_capture(std::string_view name, std::size_t limit_bytes, kept_part part) {
  if (options_.kind != host_kind::capture)
    return fact<std::string>::unknown(std::string(name), "only a capture holds it");
  const std::string capture = prefix_of(options_.folder);
  const resolution resolved = follow_inside(capture, name);
  if (!resolved.path)
    return unresolved<std::string>(name, resolved.error);
  return record_document(name, read_place(fmt::format("{}{}", capture, *resolved.path), name, limit_bytes, part));
}

std::vector<std::string> host::documents(std::string_view folder) const {
  std::vector<std::string> names;
  const std::string capture = prefix_of(options_.folder);
  const auto resolved =
      options_.kind == host_kind::capture ? resolve_inside(capture, folder) : std::optional<std::string>();
  if (!resolved)
    return names;
  std::error_code error;
  for (fs::directory_iterator entry(fmt::format("{}{}", capture, *resolved), error), last; !error && entry != last;
       entry.increment(error))
    names.push_back(fmt::format("{}/{}", folder, entry->path().filename().string()));
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace gpucert
