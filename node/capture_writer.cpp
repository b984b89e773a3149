// SPDX-License-Identifier: Apache-2.0
#include "node/capture_writer.h"

#include "node/file_descriptor.h"
#include "node/gzip.h"
#include "node/wrong_input.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path &path, std::string_view why) {
  throw unreadable_input(fmt::format("{}: cannot be written: {}", path.string(), why),
                         "choose another place, or make room");
}

void make_folders(const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    refuse(folder, error.message());
}

void write_file(const fs::path &path, std::string_view text) {
  make_folders(path.parent_path());
  const file_descriptor out(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!out.is_open() || !write_all(out.get(), text) || ::fsync(out.get()) != 0)
    refuse(path, std::strerror(errno));
}

/// "capture/" names the folder capture; as a path it would have an empty last part.
fs::path without_slashes(const fs::path &folder) {
  std::string name = folder.string();
  while (name.size() > 1 && name.ends_with('/'))
    name.pop_back();
  return name;
}

/// A power cut must not leave a folder whose files are safe and whose names are not.
void make_durable(const fs::path &folder) {
  const file_descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open() || ::fsync(opened.get()) != 0)
    refuse(folder, std::strerror(errno));
}

fs::path make_partial(const fs::path &target) {
  std::error_code error;
  // A link or an empty file would be refused by the rename at the very end, when all is read.
  const fs::file_type type = fs::symlink_status(target, error).type();
  if (type != fs::file_type::not_found && (type != fs::file_type::directory || !fs::is_empty(target, error)))
    throw wrong_input(fmt::format("{}: exists and is not an empty folder", target.string()), "name a new folder");
  std::string name = target.string() + ".partial-XXXXXX";
  const fs::path parent = fs::path(name).parent_path();
  if (!parent.empty())
    make_folders(parent);
  if (::mkdtemp(name.data()) == nullptr)
    refuse(target, std::strerror(errno));
  return name;
}

} // namespace

capture_writer::capture_writer(fs::path folder, personal_data personal)
    : target_(without_slashes(folder)), partial_(make_partial(target_)), personal_(std::move(personal)) {
  make_folders(partial_ / "root");
}

capture_writer::~capture_writer() {
  std::error_code ignored; // best effort: half a capture is of no use
  if (!partial_.empty())
    fs::remove_all(partial_, ignored);
}

void capture_writer::store(const std::string &name, std::string_view text) {
  if (!stored_.insert(name).second)
    return; // asked twice, stored once
  if (!name.ends_with(".gz"))
    return write_file(partial_ / name, personal_.remove(name, text));
  constexpr std::size_t limit_bytes = std::size_t{64} << 20;
  const std::optional<inflated_text> unpacked = inflate_gzip(text, limit_bytes);
  const std::string_view plain = unpacked ? std::string_view(unpacked->text) : text;
  write_file(partial_ / name, deflate_gzip(personal_.remove(name.substr(0, name.size() - 3), plain)));
}

void capture_writer::file(std::string_view path, std::string_view text) { store(fmt::format("root{}", path), text); }

void capture_writer::document(std::string_view name, std::string_view text) { store(std::string(name), text); }

void capture_writer::folder(std::string_view path) { make_folders(partial_ / fmt::format("root{}", path)); }

std::size_t capture_writer::finish() {
  std::error_code error;
  fs::permissions(partial_, fs::perms(0755), error);
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(partial_))
    if (entry.is_directory())
      make_durable(entry.path());
  make_durable(partial_);
  fs::rename(partial_, target_, error); // replaces an empty folder
  if (error)
    refuse(target_, error.message());
  partial_.clear();
  const fs::path parent = target_.parent_path();
  make_durable(parent.empty() ? "." : parent);
  return stored_.size();
}

} // namespace gpucert
