// SPDX-License-Identifier: Apache-2.0
#include "node/host.h"
#include "node/wrong_input.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/fsuid.h>
#include <unistd.h>

namespace gpucert {
namespace {

using namespace std::chrono_literals;
using names = std::vector<std::string>;

host open(host_kind kind, const std::filesystem::path &folder) { return host({kind, folder}); }

TEST(host_tree, a_file_is_known_absent_or_unknown) {
  temporary_folder folder;
  folder.write("etc/hostname", "node\n");
  folder.write("etc/empty", "");
  folder.make_folder("etc/apt");
  host node({host_kind::tree, folder.path()});
  EXPECT_EQ(*node.read_file("/etc/hostname"), "node\n");
  EXPECT_EQ(node.read_file("/etc/hostname").source, "/etc/hostname");
  EXPECT_EQ(*node.read_file("/etc/empty"), "") << "an empty file of a tree is an empty file";
  EXPECT_TRUE(node.read_file("/etc/none").is_absent());
  EXPECT_TRUE(node.read_file("/none/none").is_absent());
  EXPECT_TRUE(node.read_file("/etc/hostname/x").is_absent());
  EXPECT_TRUE(node.read_file("/etc/apt").is_unknown()) << "a folder where a file was expected";
}

TEST(host_tree, without_the_kernels_folders_knows_nothing_of_the_kernel) {
  temporary_folder folder;
  folder.write("etc/hostname", "node\n");
  host node({host_kind::tree, folder.path()});
  EXPECT_EQ(node.read_file("/proc/modules").problem, "/proc is not in the tree");
  EXPECT_TRUE(node.list_folder("/sys/module").is_unknown());
  folder.make_folder("proc");
  EXPECT_TRUE(node.read_file("/proc/modules").is_absent());
  EXPECT_TRUE(node.read_file("/procfile").is_absent()) << "/procfile is not below /proc";
}

TEST(host_tree, lists_a_folder_in_order) {
  temporary_folder folder;
  folder.write("dev/nvidia1", "");
  folder.write("dev/nvidia0", "");
  folder.make_folder("empty");
  host node({host_kind::tree, folder.path()});
  EXPECT_EQ(*node.list_folder("/dev"), (names{"nvidia0", "nvidia1"}));
  EXPECT_EQ(*node.list_folder("/empty"), names{});
  EXPECT_TRUE(node.list_folder("/none").is_absent());
  EXPECT_TRUE(node.list_folder("/dev/nvidia0").is_unknown());
}

TEST(host_tree, a_long_file_is_cut_at_the_limit) {
  temporary_folder folder;
  folder.write("etc/long", std::string(200'000, 'x'));
  host node({host_kind::tree, folder.path()});
  EXPECT_EQ(node.read_file("/etc/long", 100'000)->size(), 100'000U);
  EXPECT_EQ(node.read_file("/etc/long")->size(), 200'000U);
}

TEST(host_tree, links_stay_inside) {
  temporary_folder folder;
  folder.write("outside/secret", "secret");
  folder.write("tree/usr/lib/os-release", "NAME=x\n");
  folder.link("tree/etc/os-release", "../usr/lib/os-release");
  folder.link("tree/etc/absolute", "/usr/lib/os-release");
  folder.link("tree/etc/out", (folder / "outside/secret").string());
  folder.link("tree/etc/up", "../../outside/secret");
  folder.link("tree/lists", (folder / "outside").string());
  host node({host_kind::tree, folder / "tree"});
  EXPECT_EQ(*node.read_file("/etc/os-release"), "NAME=x\n");
  EXPECT_EQ(*node.read_file("/etc/absolute"), "NAME=x\n");
  EXPECT_TRUE(node.read_file("/etc/out").is_absent());
  EXPECT_TRUE(node.read_file("/etc/up").is_absent());
  EXPECT_TRUE(node.list_folder("/lists").is_absent());
}

TEST(host_tree, a_link_below_a_link_stays_inside) {
  temporary_folder folder;
  folder.link("outside/device/driver", "../drivers/of_the_machine");
  folder.link("tree/sys/devices/0000:01:00.0/driver", "../../drivers/nvidia");
  folder.link("tree/sys/bus/0000:01:00.0", "../devices/0000:01:00.0");
  folder.link("tree/sys/bus/out", (folder / "outside/device").string());
  host node({host_kind::tree, folder / "tree"});
  EXPECT_EQ(node.read_link("/sys/bus/0000:01:00.0/driver"), "../../drivers/nvidia");
  EXPECT_EQ(node.read_link("/sys/bus/out/driver"), std::nullopt);
}

TEST(host_tree, a_circle_is_unknown_since_nobody_can_read_it) {
  temporary_folder folder;
  folder.link("etc/a", "b");
  folder.link("etc/b", "a");
  host node({host_kind::tree, folder.path()});
  EXPECT_TRUE(node.read_file("/etc/a").is_unknown());
  EXPECT_TRUE(node.list_folder("/etc/a").is_unknown());
}

/// The rights of another user for one block; root keeps its own otherwise.
class as_another_user {
public:
  as_another_user() : was_(static_cast<uid_t>(::setfsuid(65534))) {}
  ~as_another_user() { ::setfsuid(was_); }

private:
  uid_t was_;
};

TEST(host_tree, what_may_not_be_seen_is_unknown_and_not_absent) {
  temporary_folder folder;
  folder.write("var/log/apt/history.log", "text");
  folder.write("etc/shadow", "text");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder / "var/log/apt", std::filesystem::perms(0700));
  std::filesystem::permissions(folder / "etc/shadow", std::filesystem::perms(0600));
  host node({host_kind::tree, folder.path()});
  if (::geteuid() != 0)
    GTEST_SKIP() << "needs root, to become somebody else";
  const as_another_user nobody;
  EXPECT_EQ(node.read_file("/etc/shadow").problem, "Permission denied");
  EXPECT_EQ(node.read_file("/var/log/apt/history.log").problem, "Permission denied");
  EXPECT_EQ(node.list_folder("/var/log/apt").problem, "Permission denied");
  EXPECT_EQ(node.list_folder("/var/log/apt/below").problem, "Permission denied");
}

TEST(host_tree, a_relative_name_gives_absolute_places) {
  temporary_folder folder;
  folder.write("tree/etc/hostname", "node\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  host node({host_kind::tree, "./tree/"});
  std::filesystem::current_path(before);
  EXPECT_EQ(*node.read_file("/etc/hostname"), "node\n");
  EXPECT_EQ(node.place("/etc"), folder / "tree/etc");
}

TEST(host_capture, an_empty_file_is_asked_and_none) {
  temporary_folder folder;
  folder.write("root/proc/modules", "nvidia 1 0 - Live 0x0\n");
  folder.write("root/etc/nv_tegra_release", "");
  folder.write("commands/dkms_status.txt", "");
  host node = open(host_kind::capture, folder.path());
  EXPECT_TRUE(node.read_file("/proc/modules").is_known());
  EXPECT_TRUE(node.read_file("/etc/nv_tegra_release").is_absent());
  EXPECT_EQ(node.read_file("/etc/os-release").problem, "not in the capture");
  EXPECT_TRUE(node.read_document("commands/dkms_status.txt").is_absent());
  EXPECT_EQ(node.read_document("commands/dmesg.txt").problem, "not in the capture");
}

TEST(host_capture, never_asks_anything_else) {
  temporary_folder folder;
  folder.make_folder("root");
  host node = open(host_kind::capture, folder.path());
  bool was_asked = false;
  const auto ask = [&] {
    was_asked = true;
    return fact<std::string>::known("", "");
  };
  EXPECT_TRUE(node.read_document("commands/dmesg.txt", ask).is_unknown());
  EXPECT_FALSE(was_asked);
}

TEST(host_capture, documents_and_nvml_stay_inside) {
  temporary_folder folder;
  folder.write("outside/nvml.json", "{}");
  folder.write("outside/seen.txt", "secret");
  folder.write("capture/documents/dmesg.txt", "log\n");
  folder.make_folder("capture/root");
  folder.link("capture/commands", "documents");
  folder.link("capture/symptoms", (folder / "outside").string());
  folder.link("capture/nvml.json", "../outside/nvml.json");
  host node = open(host_kind::capture, folder / "capture");
  EXPECT_EQ(*node.read_document("commands/dmesg.txt"), "log\n");
  EXPECT_EQ(node.documents("commands"), names{"commands/dmesg.txt"});
  EXPECT_TRUE(node.read_document("nvml.json").is_unknown());
  EXPECT_TRUE(node.read_document("symptoms/seen.txt").is_unknown());
  EXPECT_EQ(node.documents("symptoms"), names{});
}

TEST(host_capture, root_may_be_a_link_inside) {
  temporary_folder folder;
  folder.write("capture/tree/etc/hostname", "inside\n");
  folder.link("capture/root", "/tree");
  host node = open(host_kind::capture, folder / "capture");
  EXPECT_EQ(*node.read_file("/etc/hostname"), "inside\n");
}

TEST(host_capture, root_that_leads_out_is_refused) {
  temporary_folder folder;
  folder.write("outside/etc/hostname", "outside\n");
  folder.write("capture/commands/dmesg.txt", "");
  folder.link("capture/root", (folder / "outside").string());
  EXPECT_THROW(open(host_kind::capture, folder / "capture"), wrong_input);
  std::filesystem::remove(folder / "capture/root");
  folder.link("capture/root", "../outside");
  EXPECT_THROW(open(host_kind::capture, folder / "capture"), wrong_input);
}

TEST(host_capture, without_root_knows_its_documents) {
  temporary_folder folder;
  folder.write("commands/dmesg.txt", "log\n");
  host node = open(host_kind::capture, folder.path());
  EXPECT_TRUE(node.read_document("commands/dmesg.txt").is_known());
  EXPECT_TRUE(node.read_file("/proc/modules").is_unknown());
}

TEST(host_capture, a_fifo_ends_at_the_read_deadline) {
  temporary_folder folder;
  folder.make_fifo("root/proc/modules");
  folder.make_fifo("root/etc/os-release");
  folder.write("root/etc/hostname", "node\n");
  host node({host_kind::capture, folder.path(), 10s, 30ms});
  EXPECT_EQ(node.read_file("/proc/modules").problem, "reading it did not end within 30 ms");
  EXPECT_TRUE(node.read_file("/etc/os-release").is_unknown());
  EXPECT_TRUE(node.read_file("/etc/hostname").is_known()) << "what follows is still read";
}

TEST(host_capture, the_whole_deadline_bounds_many_fifos) {
  temporary_folder folder;
  constexpr int count = 200; // 200 x 1 s if each of them had its own deadline
  for (int i = 0; i < count; ++i)
    folder.make_fifo(fmt::format("root/fifo{}", i));
  host node({host_kind::capture, folder.path(), 200ms, 1s});
  for (int i = 0; i < count; ++i)
    EXPECT_TRUE(node.read_file(fmt::format("/fifo{}", i)).is_unknown());
  EXPECT_EQ(node.time_left(), 0ms);
}

TEST(host, refuses_what_is_no_folder_of_a_node) {
  temporary_folder folder;
  folder.write("file", "text");
  folder.write("other/readme", "text");
  folder.make_folder("empty");
  for (const host_kind kind : {host_kind::capture, host_kind::tree}) {
    EXPECT_THROW(open(kind, folder / "none"), wrong_input);
    EXPECT_THROW(open(kind, folder / "file"), wrong_input);
    EXPECT_THROW(open(kind, folder / "file/below"), wrong_input);
  }
  EXPECT_THROW(open(host_kind::capture, folder / "other"), wrong_input) << "no capture";
  EXPECT_THROW(open(host_kind::capture, folder / "empty"), wrong_input);
  EXPECT_NO_THROW(open(host_kind::tree, folder / "empty"));
}

TEST(host, says_when_a_folder_cannot_be_read) {
  temporary_folder folder;
  folder.make_folder("closed/capture/root");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder / "closed", std::filesystem::perms(0700));
  if (::geteuid() != 0)
    GTEST_SKIP() << "needs root, to become somebody else";
  const as_another_user nobody;
  for (const host_kind kind : {host_kind::capture, host_kind::tree}) {
    EXPECT_THROW(open(kind, folder / "closed"), unreadable_input);
    EXPECT_THROW(open(kind, folder / "closed/capture"), unreadable_input);
  }
}

/// Keeps what was recorded in words.
struct listed_record : recorder {
  void file(std::string_view path, std::string_view text) override {
    lines.push_back(fmt::format("file {}={}", path, text));
  }
  void document(std::string_view name, std::string_view text) override {
    lines.push_back(fmt::format("document {}={}", name, text));
  }
  void folder(std::string_view path) override { lines.push_back(fmt::format("folder {}", path)); }
  names lines;
};

TEST(host_record, gets_what_is_known_and_absent_and_nothing_that_is_unknown) {
  temporary_folder folder;
  folder.write("etc/hostname", "node");
  folder.make_folder("etc/apt");
  listed_record record;
  host node({host_kind::tree, folder.path(), 10s, 1s, &record});
  node.read_file("/etc/hostname");
  node.read_file("/etc/none");
  node.read_file("/etc/apt");      // unknown: a folder
  node.read_file("/proc/modules"); // unknown: not in the tree
  node.peek_file("/etc/hostname");
  node.read_document("commands/a.txt", [] { return fact<std::string>::absent("a"); });
  node.read_document("commands/b.txt", [] { return fact<std::string>::unknown("b", "why"); });
  node.read_document("commands/c.txt", [] { return fact<std::string>::known("text", "c"); });
  EXPECT_EQ(record.lines, (names{"file /etc/hostname=node",
                                 "file /etc/none=", "document commands/a.txt=", "document commands/c.txt=text"}));
}

TEST(host_record, gets_a_folder_that_was_listed_or_is_absent) {
  temporary_folder folder;
  folder.make_folder("etc");
  listed_record record;
  host node({host_kind::tree, folder.path(), 10s, 1s, &record});
  node.list_folder("/etc");
  node.list_folder("/var");
  node.list_folder("/sys/bus/pci/devices"); // unknown: a capture with the empty folder would say "no device"
  EXPECT_EQ(record.lines, (names{"folder /etc", "folder /var"}));
}

TEST(host_live, reads_this_machine) {
  host node({});
  EXPECT_TRUE(node.is_live());
  EXPECT_TRUE(node.read_file("/proc/sys/kernel/osrelease").is_known());
  EXPECT_TRUE(node.read_file("/none").is_absent());
  EXPECT_TRUE(node.list_folder("/proc").is_known());
  EXPECT_TRUE(node.read_document("symptoms/x.txt").is_unknown());
}

} // namespace
} // namespace gpucert
