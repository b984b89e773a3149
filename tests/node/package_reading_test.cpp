// SPDX-License-Identifier: Apache-2.0
#include "node/gzip.h"
#include "node/host.h"
#include "node/package_reading.h"
#include "tests/node/package_changes_in_words.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

words read(host_kind kind, const std::filesystem::path &folder, bool may_run_commands = false) {
  host node({kind, folder});
  const fact<std::vector<installed_package>> packages = read_packages(node, may_run_commands);
  if (!packages.is_known())
    return {fmt::format("unknown: {}", packages.problem.value_or("absent"))};
  words list;
  for (const installed_package &package : *packages)
    list.push_back(fmt::format("{} {}", package.name, package.version ? package.version->text : "-"));
  return list;
}

constexpr const char *dpkg_status = "Package: libnvidia-compute-550\n"
                                    "Status: install ok installed\n"
                                    "Architecture: amd64\n"
                                    "Version: 550.54.15-0ubuntu0.22.04.1\n";

TEST(packages, of_dpkg) {
  temporary_folder folder;
  folder.write("var/lib/dpkg/status", dpkg_status);
  folder.make_folder("var/lib/rpm"); // the tool rpm of Debian makes it; the database is dpkg's all the same
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{"libnvidia-compute-550 550.54.15-0ubuntu0.22.04.1"});
}

TEST(packages, of_pacman_by_the_names_of_its_folders) {
  temporary_folder folder;
  folder.write("var/lib/pacman/local/ALPM_DB_VERSION", "9\n");
  folder.make_folder("var/lib/pacman/local/nvidia-utils-595.80-1");
  folder.make_folder("var/lib/pacman/local/lib32-nvidia-utils-595.80-2");
  folder.make_folder("var/lib/pacman/local/fmt-1:11.0.2-1");
  EXPECT_EQ(read(host_kind::tree, folder.path()),
            (words{"fmt 1:11.0.2-1", "lib32-nvidia-utils 595.80-2", "nvidia-utils 595.80-1"}));
}

TEST(packages, of_rpm_need_its_command) {
  for (const char *database : {"var/lib/rpm", "usr/lib/sysimage/rpm"}) {
    temporary_folder folder;
    folder.make_folder(database);
    EXPECT_EQ(read(host_kind::tree, folder.path(), true), words{"unknown: a tree cannot be asked"}) << database;
  }
}

TEST(packages, a_tree_without_databases_has_none) {
  temporary_folder folder;
  folder.make_folder("etc");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{});
}

TEST(packages, of_a_capture) {
  temporary_folder folder;
  folder.make_folder("root");
  EXPECT_EQ(read(host_kind::capture, folder.path()), words{"unknown: not in the capture"});
  folder.write("commands/rpm_qa.txt", "kmod-nvidia-5.14.0-570.el9_6-575.64.03-1.el9.x86_64\n");
  EXPECT_EQ(read(host_kind::capture, folder.path()), words{"kmod-nvidia-5.14.0-570.el9_6 575.64.03-1.el9"});
  folder.write("commands/dpkg_l.txt", "ii  libnvidia-compute-550:amd64 550.54.15-0ubuntu1 amd64 NVIDIA libcompute\n");
  EXPECT_EQ(read(host_kind::capture, folder.path()),
            (words{"libnvidia-compute-550 550.54.15-0ubuntu1", "kmod-nvidia-5.14.0-570.el9_6 575.64.03-1.el9"}));
  folder.write("root/var/lib/dpkg/status", dpkg_status);
  EXPECT_EQ(read(host_kind::capture, folder.path())[0], "libnvidia-compute-550 550.54.15-0ubuntu0.22.04.1")
      << "the database itself comes before a listing of it";
}

TEST(packages, a_capture_of_a_node_without_databases_has_none) {
  temporary_folder folder;
  folder.write("root/var/lib/dpkg/status", "");
  folder.write("commands/rpm_qa.txt", "");
  folder.write("commands/pacman_q.txt", "");
  EXPECT_EQ(read(host_kind::capture, folder.path()), words{}) << "all three were asked";
}

TEST(packages, a_database_that_cannot_be_read_makes_the_answer_unknown) {
  temporary_folder folder;
  folder.write("var/lib/pacman/local", "a file");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{"unknown: Not a directory"});
}

words history_of(host_kind kind, const std::filesystem::path &folder) {
  host node({kind, folder});
  const fact<std::vector<package_transaction>> history = read_package_history(node);
  if (!history.is_known())
    return {fmt::format("unknown: {}", history.problem.value_or("absent"))};
  words list;
  for (const package_transaction &transaction : *history)
    list.push_back(fmt::format("{}: {}", transaction.source, in_words(transaction.driver_move())));
  return list;
}

std::string apt_run(const std::string &day, const std::string &before, const std::string &after) {
  return fmt::format("\nStart-Date: {}  06:28:16\nCommandline: apt upgrade\n"
                     "Upgrade: libnvidia-compute-535:amd64 ({}-0ubuntu1, {}-0ubuntu1)\nEnd-Date: {}  06:29:57\n",
                     day, before, after, day);
}

TEST(package_history, begins_with_the_oldest_rotated_log) {
  temporary_folder folder;
  const std::string log = "var/log/apt/history.log";
  folder.write(log, apt_run("2024-06-12", "535.171.04", "535.183.01"));
  folder.write(log + ".1.gz", deflate_gzip(apt_run("2024-05-12", "535.161.08", "535.171.04")));
  folder.write(log + ".2", apt_run("2024-04-12", "535.161.07", "535.161.08"));
  folder.write(log + ".12.gz", deflate_gzip(apt_run("2023-06-12", "535.54.03", "535.161.07")));
  EXPECT_EQ(history_of(host_kind::tree, folder.path()), (words{"/var/log/apt/history.log.12.gz: 535.54.03 > 535.161.07",
                                                               "/var/log/apt/history.log.2: 535.161.07 > 535.161.08",
                                                               "/var/log/apt/history.log.1.gz: 535.161.08 > 535.171.04",
                                                               "/var/log/apt/history.log: 535.171.04 > 535.183.01"}));
}

TEST(package_history, a_damaged_archive_gives_its_beginning) {
  temporary_folder folder;
  const std::string packed = deflate_gzip(apt_run("2024-05-12", "535.161.08", "535.171.04"));
  folder.write("var/log/apt/history.log.1.gz", packed.substr(0, packed.size() - 4)); // the checksum is cut
  folder.write("var/log/apt/history.log.2.gz", apt_run("2024-04-12", "535.161.07", "535.161.08")); // not packed at all
  EXPECT_EQ(history_of(host_kind::tree, folder.path()),
            (words{"/var/log/apt/history.log.2.gz: 535.161.07 > 535.161.08",
                   "/var/log/apt/history.log.1.gz: 535.161.08 > 535.171.04"}));
}

TEST(package_history, of_the_other_package_tools) {
  temporary_folder folder;
  folder.write("var/log/dnf.rpm.log.1",
               "2026-01-14T09:30:12+0000 INFO --- logging initialized ---\n"
               "2026-01-14T09:30:12+0000 SUBDEBUG Upgrade: libnvidia-ml-3:570.124.06-1.el9.x86_64\n"
               "2026-01-14T09:30:13+0000 SUBDEBUG Upgraded: libnvidia-ml-3:565.57.01-1.el9.x86_64\n");
  folder.write("var/log/dnf.rpm.log",
               "2026-02-14T09:30:12+0000 INFO --- logging initialized ---\n"
               "2026-02-14T09:30:12+0000 SUBDEBUG Upgrade: libnvidia-ml-3:575.64.03-1.el9.x86_64\n"
               "2026-02-14T09:30:13+0000 SUBDEBUG Upgraded: libnvidia-ml-3:570.124.06-1.el9.x86_64\n");
  folder.write("var/log/pacman.log", "[2026-09-10T12:00:02-0400] [ALPM] transaction started\n"
                                     "[2026-09-10T12:00:02-0400] [ALPM] upgraded nvidia-utils (610.57.04-1 -> "
                                     "615.71.09-1)\n"
                                     "[2026-09-10T12:00:03-0400] [ALPM] transaction completed\n");
  EXPECT_EQ(history_of(host_kind::tree, folder.path()),
            (words{"/var/log/dnf.rpm.log.1: 565.57.01 > 570.124.06", "/var/log/dnf.rpm.log: 570.124.06 > 575.64.03",
                   "/var/log/pacman.log: 610.57.04 > 615.71.09"}));
}

TEST(package_history, dpkgs_log_stands_in_for_apts) {
  temporary_folder folder;
  folder.write("var/log/dpkg.log",
               "2022-05-19 06:04:29 startup archives unpack\n"
               "2022-05-19 06:04:29 upgrade libnvidia-compute-510:amd64 510.60.02-0ubuntu0 510.73.05-0ubuntu0\n"
               "2022-05-19 06:04:30 status installed libnvidia-compute-510:amd64 510.73.05-0ubuntu0\n");
  EXPECT_EQ(history_of(host_kind::tree, folder.path()), words{"/var/log/dpkg.log: 510.60.02 > 510.73.05"});
  folder.write("var/log/apt/history.log", apt_run("2022-05-19", "510.60.02", "510.73.05"));
  EXPECT_EQ(history_of(host_kind::tree, folder.path()), words{"/var/log/apt/history.log: 510.60.02 > 510.73.05"});
}

TEST(package_history, none_and_unknown_differ) {
  temporary_folder folder;
  folder.make_folder("root");
  EXPECT_EQ(history_of(host_kind::tree, folder / "root"), words{});
  EXPECT_EQ(history_of(host_kind::capture, folder.path()), words{"unknown: no package log could be read"});
  folder.write("root/var/log/apt/history.log", "");
  EXPECT_EQ(history_of(host_kind::capture, folder.path()), words{});
}

} // namespace
} // namespace gpucert
