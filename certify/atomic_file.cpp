// SPDX-License-Identifier: Apache-2.0
#include "certify/atomic_file.h"

#include "node/file_descriptor.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path &path, int error) {
  throw unreadable_input(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)),
                         "choose another place, or make room");
}

/// A temporary file that is removed again unless it was renamed.
struct temporary_file {
  explicit temporary_file(const fs::path &beside) : name(beside.string() + ".XXXXXX") {
    descriptor = file_descriptor(::mkostemp(name.data(), O_CLOEXEC));
    if (!descriptor.is_open())
      refuse(beside, errno);
  }
  temporary_file(const temporary_file &) = delete;
  temporary_file &operator=(const temporary_file &) = delete;
  ~temporary_file() {
    if (!is_in_place)
      ::unlink(name.c_str());
  }
  std::string name;
  file_descriptor descriptor;
  bool is_in_place = false;
};

void sync_folder_of(const fs::path &path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const file_descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a folder (EINVAL); then there is nothing more to do.
  if (descriptor.is_open() && ::fsync(descriptor.get()) != 0 && errno != EINVAL)
    refuse(path, errno);
}

void write_to_descriptor(int descriptor, const fs::path &path, std::string_view text) {
  if (!write_all(descriptor, text))
    refuse(path, errno);
}

void write_directly(const fs::path &path, std::string_view text) {
  const file_descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK)); // a pipe without a reader refuses
  if (!out.is_open())
    refuse(path, errno);
  write_to_descriptor(out.get(), path, text);
}

/// Where text for a path really goes.
struct destination {
  fs::path path;                 // no link itself
  std::optional<int> descriptor; // of ours: the path leads to /proc/self/fd/N
};

std::optional<int> number_of(const std::string &name) {
  int number = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && stop == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

destination follow_links(fs::path path) {
  constexpr int most_links = 40; // as the kernel allows
  const fs::path own_descriptors = fmt::format("/proc/{}/fd", ::getpid());
  for (int followed = 0; followed < most_links; ++followed) {
    std::error_code error;
    const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), error);
    if (error)
      break; // the attempt to write tells what is wrong
    path = folder / path.filename();
    if (folder == own_descriptors)
      return {path, number_of(path.filename())};
    if (!fs::is_symlink(fs::symlink_status(path, error)))
      break;
    const fs::path target = fs::read_symlink(path, error);
    if (error)
      break;
    path = folder / target; // an absolute target replaces the folder
  }
  return {path, std::nullopt};
}

mode_t permissions_of_new_files() { // 0666 less the umask, which can only be read by setting it
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

} // namespace

void require_place_for_file(const fs::path &path) {
  std::error_code error;
  if (fs::is_directory(path, error) || !path.has_filename())
    throw wrong_input(fmt::format("{}: is a folder", path.string()), "name a file");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found)
    throw wrong_input(fmt::format("{}: no such folder", folder.string()), "make it first");
  if (fs::exists(status) && !fs::is_directory(status))
    throw wrong_input(fmt::format("{}: is not a folder", folder.string()), "name a file in a folder");
}

void write_atomically(const fs::path &path, std::string_view text) {
  require_place_for_file(path);
  const destination to = follow_links(path);
  if (to.descriptor)
    return write_to_descriptor(*to.descriptor, path, text);
  std::error_code error;
  const fs::file_status status = fs::status(to.path, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return write_directly(to.path, text);
  temporary_file file(to.path);
  if (!write_all(file.descriptor.get(), text) || ::fchmod(file.descriptor.get(), permissions_of_new_files()) != 0 ||
      ::fsync(file.descriptor.get()) != 0)
    refuse(to.path, errno);
  if (::rename(file.name.c_str(), to.path.c_str()) != 0)
    refuse(to.path, errno);
  file.is_in_place = true;
  sync_folder_of(to.path);
}

std::string read_whole_file(const fs::path &path, std::size_t limit_bytes) {
  const file_descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)); // a pipe reads as empty
  if (!in.is_open() && (errno == ENOENT || errno == ENOTDIR))
    throw wrong_input(fmt::format("{}: no such file", path.string()), "name an existing one");
  std::string text;
  std::array<char, 65536> buffer{};
  ssize_t got = in.is_open() ? 1 : -1;
  while (got > 0 && text.size() <= limit_bytes && (got = read_some(in.get(), buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  if (got < 0)
    throw unreadable_input(fmt::format("{}: {}", path.string(), std::strerror(errno)), "check what it is");
  if (text.size() > limit_bytes)
    throw unreadable_input(fmt::format("{}: has more than {} bytes", path.string(), limit_bytes), "check what it is");
  return text;
}

} // namespace gpucert
