// SPDX-License-Identifier: Apache-2.0
#include "node/capture_writer.h"
#include "node/evidence.h"
#include "node/gzip.h"
#include "node/host.h"
#include "tests/node/ld_cache_bytes.h"
#include "tests/node/temporary_folder.h"
#include "tests/node/tiny_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace gpucert {
namespace {

using namespace std::string_literals;
using words = std::vector<std::string>;

template <class Value, class ToText> std::string in_words(const fact<Value> &asked, ToText to_text) {
  return asked.is_known() ? to_text(*asked) : asked.is_absent() ? "absent" : "unknown";
}

template <class List, class ToText> std::string joined(const List &list, ToText to_text) {
  std::vector<std::string> texts;
  for (const auto &one : list)
    texts.push_back(to_text(one));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string name_of(const pci_gpu &gpu) {
  return fmt::format("{} {} {}", gpu.address, gpu.device_id.value_or("-"),
                     in_words(gpu.bound_driver, [](const std::string &driver) { return driver; }));
}

std::string name_of(const driver_library &library) {
  return fmt::format("{}>{}{}", library.path, library.resolved_path, library.is_32_bit ? " 32" : "");
}

std::string name_of(const installed_package &package) {
  return fmt::format("{} {}", package.name, package.version ? package.version->text : "-");
}

std::string name_of(const package_transaction &transaction) {
  return fmt::format("{} {} {}", transaction.source, transaction.start ? transaction.start->text : "-",
                     transaction.changes.size());
}

/// All that the checks judge, one fact a line. Sources are left out: a capture names its own files.
words in_words(const node_evidence &node) {
  const auto text = [](const std::string &value) { return value; };
  const auto names = [](const auto &all) { return joined(all, [](const auto &one) { return name_of(one); }); };
  const auto version = [](const auto &stated) { return stated.text(); };
  const auto file = [](const module_file &one) {
    return fmt::format("{} {} {} {}", one.version.text(), one.path.value_or("-"), one.license.value_or("-"),
                       one.kernel.value_or("-"));
  };
  const auto mismatch = [](const api_mismatch &one) {
    return fmt::format("{}/{} x{}", one.client.text(), one.module.text(), one.count);
  };
  const std::optional<bool> is_loaded = node.modules.has("nvidia");
  words list;
  list.push_back(fmt::format("kernel {}", in_words(node.kernel_release, text)));
  list.push_back(fmt::format("platform {}{}{}", node.platform.distribution.value_or("-"),
                             node.platform.is_wsl2 ? " wsl2" : "", node.platform.is_jetson ? " jetson" : ""));
  list.push_back(fmt::format(
      "module {}", in_words(node.modules.nvidia, [](const loaded_module &module) { return module.version.text(); })));
  list.push_back(is_loaded ? (*is_loaded ? "loaded" : "not loaded") : "loaded?");
  for (const auto &[name, stated] : node.modules.versions)
    list.push_back(fmt::format("{} {}", name, in_words(stated, version)));
  list.push_back(fmt::format("on disk {}", in_words(node.module_on_disk, file)));
  list.push_back(fmt::format("libraries {}", in_words(node.libraries, names)));
  list.push_back(fmt::format("packages {}", in_words(node.packages, names)));
  list.push_back(fmt::format("history {}", in_words(node.history, names)));
  list.push_back(fmt::format(
      "log {}", in_words(node.log, [&](const kernel_log &log) { return joined(log.api_mismatches, mismatch); })));
  list.push_back(fmt::format("gpus {}", in_words(node.gpus, names)));
  list.push_back(fmt::format("files {}", in_words(node.device_files, format_device_list)));
  list.push_back(fmt::format("nvml {}", in_words(node.nvml, [](const nvml_record &) { return "answers"s; })));
  return list;
}

void write_node(const temporary_folder &folder) {
  folder.write("tree/proc/sys/kernel/osrelease", "6.8.0-60-generic\n");
  folder.write("tree/proc/modules", "nvidia 1 0 - Live 0x0\n");
  folder.write("tree/proc/driver/nvidia/version",
               "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.07  Sat Feb 17 22:55:48 UTC 2024\n");
  folder.write("tree/sys/module/nvidia/version", "535.161.07\n");
  folder.write("tree/sys/module/nvidia_uvm/version", "535.161.07\n");
  folder.write("tree/etc/os-release", "NAME=Ubuntu\nVERSION_ID=22.04\n");
  folder.write("tree/lib/modules/6.8.0-60-generic/updates/dkms/nvidia.ko",
               tiny_module("version=550.54.15\0license=NVIDIA\0vermagic=6.8.0-60-generic SMP\0"s));
  folder.write("tree/lib/modules/6.8.0-60-generic/modules.dep", "updates/dkms/nvidia.ko:\n");
  folder.write("tree/etc/ld.so.cache", ld_cache_bytes({{cache_flags_x86_64, "libcuda.so.1", "/lib64/libcuda.so.1"},
                                                       {cache_flags_i386, "libcuda.so.1", "/lib/libcuda.so.1"}}));
  folder.write("tree/lib64/libcuda.so.550.54.15", "");
  folder.link("tree/lib64/libcuda.so.1", "libcuda.so.550.54.15");
  folder.write("tree/var/lib/dpkg/status", "Package: libnvidia-compute-550\nStatus: install ok installed\n"
                                           "Architecture: amd64\nVersion: 550.54.15-0ubuntu1\n");
  folder.write("tree/var/log/apt/history.log.1.gz",
               deflate_gzip("Start-Date: 2024-06-12  06:28:16\nRequested-By: alice (1000)\n"
                            "Install: libnvidia-compute-535:amd64 (535.161.07-0ubuntu1)\n"
                            "End-Date: 2024-06-12  06:29:57\n"));
  folder.write("tree/var/log/dmesg", "[    1.1] NVRM: API mismatch: the client has the version 550.54.15, but\n"
                                     "           NVRM: this kernel module has the version 535.161.07.  Please\n");
  folder.write("tree/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
  folder.write("tree/sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n");
  folder.write("tree/sys/bus/pci/devices/0000:01:00.0/device", "0x20b5\n");
  folder.link("tree/sys/bus/pci/devices/0000:01:00.0/driver", "../../drivers/nvidia");
  folder.write("tree/sys/bus/pci/devices/0000:02:00.0/vendor", "0x8086\n");
  folder.write("tree/dev/nvidiactl", "");
}

/// Reads a node, records it, and reads the record.
std::pair<words, words> read_and_replay(host::options options, const std::filesystem::path &capture) {
  capture_writer writer(capture, personal_data({}));
  options.record = &writer;
  host node(options);
  const words read = in_words(read_evidence(node, {}));
  writer.finish();
  host replayed({host_kind::capture, capture});
  return {read, in_words(read_evidence(replayed, {}))};
}

TEST(evidence, of_a_tree) {
  temporary_folder folder;
  write_node(folder);
  host node({host_kind::tree, folder / "tree"});
  EXPECT_EQ(
      in_words(read_evidence(node, {})),
      (words{"kernel 6.8.0-60-generic", "platform Ubuntu 22.04", "module 535.161.07", "loaded", "nvidia 535.161.07",
             "nvidia_uvm 535.161.07",
             "on disk 550.54.15 /lib/modules/6.8.0-60-generic/updates/dkms/nvidia.ko NVIDIA 6.8.0-60-generic",
             "libraries [/lib64/libcuda.so.1>/lib64/libcuda.so.550.54.15, /lib/libcuda.so.1>/lib/libcuda.so.1 32]",
             "packages [libnvidia-compute-550 550.54.15-0ubuntu1]",
             "history [/var/log/apt/history.log.1.gz 2024-06-12  06:28:16 1]", "log [550.54.15/535.161.07 x1]",
             "gpus [0000:01:00.0 0x20b5 nvidia]", "files /dev/nvidiactl\n", "nvml unknown"}));
}

TEST(evidence, of_a_tree_and_of_its_capture_are_the_same) {
  temporary_folder folder;
  write_node(folder);
  const auto [read, replayed] = read_and_replay({host_kind::tree, folder / "tree"}, folder / "capture");
  EXPECT_EQ(read, replayed);
}

TEST(evidence, of_an_empty_tree_and_of_its_capture_are_the_same) {
  temporary_folder folder;
  folder.make_folder("tree");
  const auto [read, replayed] = read_and_replay({host_kind::tree, folder / "tree"}, folder / "capture");
  EXPECT_EQ(read, replayed) << "what nobody knows does not become known on the way";
  EXPECT_EQ(read[0], "kernel unknown");
}

TEST(evidence, of_a_tree_with_bare_kernel_folders_and_of_its_capture_are_the_same) {
  temporary_folder folder;
  for (const char *name : {"tree/proc", "tree/sys", "tree/dev"})
    folder.make_folder(name);
  const auto [read, replayed] = read_and_replay({host_kind::tree, folder / "tree"}, folder / "capture");
  EXPECT_EQ(read, replayed);
}

TEST(evidence, of_this_machine_and_of_its_capture_are_the_same) {
  temporary_folder folder;
  const auto [read, replayed] = read_and_replay({}, folder / "capture");
  EXPECT_EQ(read, replayed);
}

TEST(evidence, of_a_capture_has_its_symptoms) {
  temporary_folder folder;
  folder.write("symptoms/nvml_error.txt", "Failed to initialize NVML: Driver/library version mismatch\n");
  folder.write("symptoms/app_error.txt", "");
  folder.write("commands/nvidia_smi.txt", "No devices were found\n");
  folder.write("nvml.json",
               R"({"schema": "gpucert-nvml-replay-1", "functions": {"nvmlInit_v2": {"ret": 18}}, "devices": []})");
  host node({host_kind::capture, folder.path()});
  const node_evidence evidence = read_evidence(node, {});
  ASSERT_EQ(evidence.symptoms.size(), 2U) << "an empty one says nothing";
  EXPECT_EQ(evidence.symptoms[0].source, "commands/nvidia_smi.txt");
  EXPECT_EQ(evidence.symptoms[1].text, "Failed to initialize NVML: Driver/library version mismatch\n");
  ASSERT_TRUE(evidence.nvml.is_known());
  EXPECT_EQ(evidence.nvml->init_return, 18);
}

TEST(evidence, nvml_that_is_no_record_is_unknown) {
  temporary_folder folder;
  folder.write("nvml.json", "{");
  host node({host_kind::capture, folder.path()});
  EXPECT_TRUE(read_evidence(node, {}).nvml.is_unknown());
}

TEST(evidence, nvml_of_this_machine_is_asked_by_a_program_only_when_deep) {
  temporary_folder folder;
  folder.write("nvml", "#!/bin/sh\n"
                       "echo '{\"schema\": \"gpucert-nvml-replay-1\", \"functions\": {\"nvmlInit_v2\": {\"ret\": 9}}, "
                       "\"devices\": []}'\n");
  folder.write("crash", "#!/bin/sh\nkill -SEGV $$\n");
  for (const char *name : {"nvml", "crash"})
    std::filesystem::permissions(folder / name, std::filesystem::perms(0755));
  host node({});
  EXPECT_EQ(read_evidence(node, {false, folder / "nvml"}).nvml.problem, "needs --deep");
  EXPECT_EQ(read_evidence(node, {true, folder / "nvml"}).nvml->init_return, 9);
  EXPECT_EQ(read_evidence(node, {true, folder / "crash"}).nvml.problem,
            "gpucert-nvml was killed by signal 11 (Segmentation fault)");
  EXPECT_TRUE(read_evidence(node, {true, folder / "none"}).nvml.is_unknown());
}

/// Every file that a capture can hold, with the same rubbish in it.
TEST(evidence, takes_rubbish_everywhere) {
  for (const std::string &rubbish : {"\0\xff\xfe\n"s, std::string(100'000, 'x'), "{\"a\": [[[["s, "->\n=>\n:=\n"s}) {
    temporary_folder folder;
    for (const char *name : {"root/proc/modules",
                             "root/proc/driver/nvidia/version",
                             "root/proc/sys/kernel/osrelease",
                             "root/sys/module/nvidia/version",
                             "root/etc/os-release",
                             "root/var/lib/dpkg/status",
                             "root/var/log/apt/history.log",
                             "root/var/log/apt/history.log.1.gz",
                             "root/var/log/dnf.rpm.log",
                             "root/var/log/zypp/history",
                             "root/var/log/pacman.log",
                             "root/var/log/dpkg.log",
                             "root/dev.list",
                             "root/sys/bus/pci/devices/0000:01:00.0/vendor",
                             "commands/modinfo_nvidia.txt",
                             "commands/ldconfig_p.txt",
                             "commands/readlink.txt",
                             "commands/rpm_qa.txt",
                             "commands/pacman_q.txt",
                             "commands/dmesg.txt",
                             "nvml.json",
                             "symptoms/x.txt"})
      folder.write(name, rubbish);
    host node({host_kind::capture, folder.path()});
    const node_evidence evidence = read_evidence(node, {});
    EXPECT_FALSE(evidence.modules.nvidia.is_known());
    EXPECT_FALSE(evidence.module_on_disk.is_known());
  }
}

} // namespace
} // namespace gpucert
