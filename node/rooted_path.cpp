// SPDX-License-Identifier: Apache-2.0
#include "node/rooted_path.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <vector>

namespace gpucert {
namespace {

// As many links as the kernel itself follows (MAXSYMLINKS).
constexpr int most_links = 40;

/// The parts of a path, last first, ready to be taken from the back.
std::vector<std::string> reversed_parts(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const auto slash = path.rfind('/');
    const std::string_view part = slash == path.npos ? path : path.substr(slash + 1);
    if (!part.empty() && part != ".")
      parts.emplace_back(part);
    path = slash == path.npos ? std::string_view{} : path.substr(0, slash);
  }
  return parts;
}

} // namespace

std::optional<std::string> read_link_inside(const std::string &root, std::string_view path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::read_symlink(root + "/" + std::string(path), error);
  if (error)
    return std::nullopt;
  return target.string();
}

resolution follow_inside(const std::string &root, std::string_view path) {
  std::vector<std::string> todo = reversed_parts(path);
  std::string done; // resolved so far: "" is the root
  int links = 0;
  while (!todo.empty()) {
    const std::string part = std::move(todo.back());
    todo.pop_back();
    if (part == "..") {
      done.resize(done.empty() ? 0 : done.rfind('/')); // above the root is the root
      continue;
    }
    const std::string next = done + "/" + part;
    struct stat about {};
    if (::lstat((root + next).c_str(), &about) != 0)
      return {std::nullopt, errno};
    if (!S_ISLNK(about.st_mode)) {
      done = next;
      continue;
    }
    const std::optional<std::string> target = read_link_inside(root, next);
    if (!target || ++links > most_links)
      return {std::nullopt, ELOOP};
    if (target->starts_with('/'))
      done.clear();
    for (std::string &more : reversed_parts(*target))
      todo.push_back(std::move(more));
  }
  return {done.empty() ? "/" : done, 0};
}

std::optional<std::string> resolve_inside(const std::string &root, std::string_view path) {
  return follow_inside(root, path).path;
}

} // namespace gpucert
