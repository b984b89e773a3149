// SPDX-License-Identifier: Apache-2.0
#include "certify/atomic_file.h"

#include "node/file_descriptor.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
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

void write_directly(const fs::path &path, std::string_view text) {
  const file_descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out.is_open() || !write_all(out.get(), text))
    refuse(path, errno);
}

mode_t permissions_of_new_files() { // 0666 less the umask, which can only be read by setting it
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

} // namespace

void write_atomically(const fs::path &path, std::string_view text) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    throw wrong_input(fmt::format("{}: is a folder", path.string()), "name a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    return write_directly(path, text);
  temporary_file file(path);
  if (!write_all(file.descriptor.get(), text) || ::fchmod(file.descriptor.get(), permissions_of_new_files()) != 0 ||
      ::fsync(file.descriptor.get()) != 0)
    refuse(path, errno);
  if (::rename(file.name.c_str(), path.c_str()) != 0)
    refuse(path, errno);
  file.is_in_place = true;
  sync_folder_of(path);
}

std::string read_whole_file(const fs::path &path) {
  const file_descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.is_open() && errno == ENOENT)
    throw wrong_input(fmt::format("{}: no such file", path.string()), "name an existing one");
  std::string text;
  std::array<char, 65536> buffer{};
  ssize_t got = in.is_open() ? 1 : -1;
  while (got > 0 && (got = read_some(in.get(), buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  if (got < 0)
    throw unreadable_input(fmt::format("{}: {}", path.string(), std::strerror(errno)), "check what it is");
  return text;
}

} // namespace gpucert
