// SPDX-License-Identifier: Apache-2.0
#include "node/driver_libraries.h"
#include "node/host.h"
#include "tests/node/ld_cache_bytes.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

std::string in_words(const driver_library &library) {
  return library.path + " > " + library.resolved_path + " " + (library.release ? library.release->text() : "-") +
         (library.is_32_bit ? " 32" : "") + (library.is_compat_copy() ? " compat" : "");
}

words read(host_kind kind, const std::filesystem::path &folder) {
  host node({kind, folder});
  const fact<std::vector<driver_library>> libraries = read_driver_libraries(node);
  if (!libraries.is_known())
    return {fmt::format("unknown: {}", libraries.problem.value_or("absent"))};
  words list;
  for (const driver_library &library : *libraries)
    list.push_back(in_words(library));
  return list;
}

struct library_name {
  const char *name;
  const char *file;
  const char *release; // null: none
};

class library_release_test : public testing::TestWithParam<library_name> {};

TEST_P(library_release_test, is_in_the_file_name) {
  const auto release = parse_library_release(GetParam().file);
  ASSERT_EQ(release.has_value(), GetParam().release != nullptr);
  if (release) {
    EXPECT_EQ(release->text(), GetParam().release);
  }
}

INSTANTIATE_TEST_SUITE_P(names, library_release_test,
                         testing::Values(library_name{"three_numbers", "libcuda.so.550.54.15", "550.54.15"},
                                         library_name{"two_numbers", "libnvidia-ml.so.550.120", "550.120"},
                                         library_name{"soname", "libcuda.so.1", nullptr},
                                         library_name{"development_link", "libcuda.so", nullptr},
                                         library_name{"renamed_copy", "libcuda.so.550.54.15.bak", nullptr},
                                         library_name{"jetson", "libcuda.so.1.1", "1.1"},
                                         library_name{"empty", "", nullptr}),
                         [](const auto &tested) { return tested.param.name; });

TEST(driver_libraries, of_a_tree_with_a_cache) {
  temporary_folder folder;
  folder.write("etc/ld.so.cache",
               ld_cache_bytes({{cache_flags_x86_64, "libcuda.so.1", "/lib/x86_64-linux-gnu/libcuda.so.1"},
                               {cache_flags_i386, "libcuda.so.1", "/lib/i386-linux-gnu/libcuda.so.1"},
                               {cache_flags_x86_64, "libcuda.so", "/lib/x86_64-linux-gnu/libcuda.so"},
                               {cache_flags_x86_64, "libcudart.so.12", "/usr/local/cuda/lib64/libcudart.so.12"},
                               {cache_flags_x86_64, "libnvidia-ml.so.1", "/lib/x86_64-linux-gnu/libnvidia-ml.so.1"}}));
  folder.link("lib", "usr/lib");
  for (const std::string name : {"libcuda.so", "libnvidia-ml.so"}) {
    folder.write("usr/lib/x86_64-linux-gnu/" + name + ".550.54.15", "");
    folder.link("usr/lib/x86_64-linux-gnu/" + name + ".1", name + ".550.54.15");
  }
  folder.write("usr/lib/i386-linux-gnu/libcuda.so.535.161.07", "");
  folder.link("usr/lib/i386-linux-gnu/libcuda.so.1", "libcuda.so.535.161.07");
  EXPECT_EQ(read(host_kind::tree, folder.path()),
            (words{"/lib/x86_64-linux-gnu/libcuda.so.1 > /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.15 550.54.15",
                   "/lib/i386-linux-gnu/libcuda.so.1 > /usr/lib/i386-linux-gnu/libcuda.so.535.161.07 535.161.07 32",
                   "/lib/x86_64-linux-gnu/libnvidia-ml.so.1 > /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.550.54.15 "
                   "550.54.15"}));
}

TEST(driver_libraries, of_a_tree_without_a_cache_are_looked_for) {
  temporary_folder folder;
  folder.write("usr/lib64/libcuda.so.575.64.03", "");
  folder.link("usr/lib64/libcuda.so.1", "libcuda.so.575.64.03");
  folder.link("lib64", "usr/lib64"); // one file under two paths is one library
  EXPECT_EQ(read(host_kind::tree, folder.path()),
            words{"/usr/lib64/libcuda.so.1 > /usr/lib64/libcuda.so.575.64.03 575.64.03"});
}

TEST(driver_libraries, none_is_an_answer) {
  temporary_folder folder;
  folder.make_folder("etc");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{});
  folder.write("etc/ld.so.cache", ld_cache_bytes({{cache_flags_x86_64, "libc.so.6", "/lib/libc.so.6"}}));
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{});
}

TEST(driver_libraries, a_damaged_cache_is_unknown) {
  temporary_folder folder;
  folder.write("etc/ld.so.cache", "rubbish");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{"unknown: is no loader cache of glibc"});
}

TEST(driver_libraries, of_a_capture_follow_its_links) {
  temporary_folder folder;
  folder.write("commands/ldconfig_p.txt",
               "\tlibcuda.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libcuda.so.1\n"
               "\tlibnvidia-ml.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libnvidia-ml.so.1\n"
               "\tlibcuda.so.1 (libc6, OS ABI: Linux 2.6.32) => /usr/lib/libcuda.so.1\n");
  folder.write("commands/readlink.txt",
               "/lib/x86_64-linux-gnu/libcuda.so.1 -> ../x86_64-linux-gnu/nvidia/libcuda.so.1\n"
               "/lib/x86_64-linux-gnu/nvidia/libcuda.so.1 -> /etc/alternatives/libcuda.so.1\n"
               "/etc/alternatives/libcuda.so.1 -> /usr/lib/nvidia/current/libcuda.so.550.54.15\n"
               "/lib/x86_64-linux-gnu/libnvidia-ml.so.1 -> libnvidia-ml.so.535.161.07\n");
  EXPECT_EQ(read(host_kind::capture, folder.path()),
            (words{"/lib/x86_64-linux-gnu/libcuda.so.1 > /usr/lib/nvidia/current/libcuda.so.550.54.15 550.54.15",
                   "/lib/x86_64-linux-gnu/libnvidia-ml.so.1 > /lib/x86_64-linux-gnu/libnvidia-ml.so.535.161.07 "
                   "535.161.07",
                   "/usr/lib/libcuda.so.1 > /usr/lib/libcuda.so.1 - 32"}));
}

TEST(driver_libraries, of_a_capture_that_has_links_alone) {
  temporary_folder folder;
  folder.write("commands/readlink.txt", "/usr/lib64/libcuda.so.1 -> libcuda.so.570.133.07\n"
                                        "/run/current-system -> /nix/store/x\n");
  EXPECT_EQ(read(host_kind::capture, folder.path()),
            words{"/usr/lib64/libcuda.so.1 > /usr/lib64/libcuda.so.570.133.07 570.133.07"});
  temporary_folder other;
  other.make_folder("root");
  EXPECT_EQ(read(host_kind::capture, other.path()), words{"unknown: not in the capture"});
}

TEST(driver_libraries, a_compat_copy_is_known_by_its_folder) {
  temporary_folder folder;
  folder.write("commands/ldconfig_p.txt", "\tlibcuda.so.1 (libc6,x86-64) => /usr/local/cuda/compat/libcuda.so.1\n");
  folder.write("commands/readlink.txt", "/usr/local/cuda/compat/libcuda.so.1 -> libcuda.so.560.35.05\n");
  EXPECT_EQ(
      read(host_kind::capture, folder.path()),
      words{"/usr/local/cuda/compat/libcuda.so.1 > /usr/local/cuda/compat/libcuda.so.560.35.05 560.35.05 compat"});
}

TEST(driver_libraries, links_in_a_circle_end) {
  temporary_folder folder;
  folder.write("commands/readlink.txt", "/a/libcuda.so.1 -> /b/libcuda.so.1\n/b/libcuda.so.1 -> /a/libcuda.so.1\n");
  EXPECT_EQ(read(host_kind::capture, folder.path()).size(), 2U);
}

TEST(driver_libraries, many_links_cost_no_more_than_their_number) {
  std::string links;
  for (int i = 0; i < 2'000; ++i) // each step of a chain, searched linearly for each library, would take minutes
    links += fmt::format("/{}/libcuda.so.1 -> /{}/libcuda.so.1\n", i, i + 1);
  temporary_folder folder;
  folder.write("commands/readlink.txt", links);
  EXPECT_EQ(read(host_kind::capture, folder.path()).size(), 2'000U);
}

TEST(recorded_links, lines_that_are_none_are_passed_over) {
  const auto links = parse_recorded_links("readlink: missing operand\n /a -> b \n\n");
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0].link + "|" + links[0].target, "/a|b");
}

} // namespace
} // namespace gpucert
