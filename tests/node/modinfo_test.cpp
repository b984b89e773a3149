// SPDX-License-Identifier: Apache-2.0
#include "node/command.h"
#include "node/host.h"
#include "node/kmod_library.h"
#include "node/modinfo.h"
#include "tests/node/temporary_folder.h"
#include "tests/node/tiny_module.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using namespace std::string_literals;

TEST(modinfo, reads_the_output_of_modinfo) {
  const auto module = parse_modinfo("filename:       /lib/modules/7.0.12-zen1-1-zen/updates/dkms/nvidia.ko.zst\n"
                                    "import_ns:      DMA_BUF\n"
                                    "alias:          char-major-195-*\n"
                                    "version:        595.80\n"
                                    "supported:      external\n"
                                    "license:        Dual MIT/GPL\n"
                                    "firmware:       nvidia/595.80/gsp_ga10x.bin\n"
                                    "srcversion:     0D3F4BCA5E0E5B5F5E5B5F5\n"
                                    "vermagic:       7.0.12-zen1-1-zen SMP preempt mod_unload \n"
                                    "parm:           NVreg_ResmanDebugLevel:int\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->version.text(), "595.80");
  EXPECT_EQ(module->path, "/lib/modules/7.0.12-zen1-1-zen/updates/dkms/nvidia.ko.zst");
  EXPECT_EQ(module->license, "Dual MIT/GPL");
  EXPECT_EQ(module->kernel, "7.0.12-zen1-1-zen");
}

TEST(modinfo, takes_the_bare_version) {
  const auto module = parse_modinfo("570.124.06\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->version.text(), "570.124.06");
  EXPECT_FALSE(module->path);
}

TEST(modinfo, only_the_key_version_counts) {
  EXPECT_FALSE(parse_modinfo("srcversion:     550.54.15\nvermagic:       5.15.0-105-generic SMP\n"));
  EXPECT_FALSE(parse_modinfo("filename: /lib/modules/5.15.0-105-generic/nvidia-550.54.15.ko\n"));
  EXPECT_FALSE(parse_modinfo("version:        TempVersion\n"));
  EXPECT_FALSE(parse_modinfo(""));
  EXPECT_FALSE(parse_modinfo(std::string(1 << 20, ':')));
}

struct message {
  const char *name;
  const char *text;
  bool says_not_found;
};

class modinfo_message_test : public testing::TestWithParam<message> {};

TEST_P(modinfo_message_test, tells_no_module_from_no_modinfo) {
  EXPECT_EQ(says_module_not_found(GetParam().text), GetParam().says_not_found);
}

INSTANTIATE_TEST_SUITE_P(
    messages, modinfo_message_test,
    testing::Values(message{"kmod", "modinfo: ERROR: Module nvidia not found.\n", true},
                    message{"module_init_tools", "modinfo: could not find module nvidia\n", true},
                    message{"busybox", "modinfo: module 'nvidia' not found\n", true}, message{"silence", "\n", true},
                    message{"no_tool_bash", "bash: modinfo: command not found\n", false},
                    message{"no_tool_sh", "sh: 1: modinfo: not found\n", false},
                    message{"another_error", "modinfo: ERROR: could not get modinfo from 'nvidia': Permission denied\n",
                            false}),
    [](const auto &tested) { return tested.param.name; });

fact<module_file> read_capture(std::string_view modinfo) {
  temporary_folder folder;
  folder.write("commands/modinfo_nvidia.txt", modinfo);
  host node({host_kind::capture, folder.path()});
  return read_module_on_disk(node, fact<std::string>::known("6.8.0-60-generic", "test"));
}

TEST(module_on_disk, of_a_capture) {
  EXPECT_EQ(read_capture("version: 550.54.15\n")->version.text(), "550.54.15");
  EXPECT_TRUE(read_capture("").is_absent());
  EXPECT_TRUE(read_capture("modinfo: ERROR: Module nvidia not found.\n").is_absent());
  EXPECT_TRUE(read_capture("bash: modinfo: command not found\n").is_unknown());
  EXPECT_TRUE(read_capture("version: TempVersion\n").is_unknown());
  EXPECT_EQ(read_capture("version: 550.54.15\nparm: NVreg_X:0 where the board is not found\n")->version.text(),
            "550.54.15");
}

constexpr const char *kernel = "6.8.0-60-generic";
const std::string modules_folder = "lib/modules/6.8.0-60-generic/"s;

fact<std::string> running_kernel() { return fact<std::string>::known(kernel, "test"); }

std::string driver_module(const std::string &version) {
  return tiny_module("version="s + version + "\0license=Dual MIT/GPL\0vermagic=6.8.0-60-generic SMP\0"s);
}

/// A tree whose kernel has one module, listed in text only: libkmod needs the binary index.
void write_modules(const temporary_folder &folder, const std::string &file, std::string_view module) {
  folder.write(modules_folder + file, module);
  folder.write(modules_folder + "modules.dep", file + ":\n");
}

TEST(module_on_disk, of_a_tree) {
  temporary_folder folder;
  write_modules(folder, "updates/dkms/nvidia.ko", driver_module("550.54.15"));
  host node({host_kind::tree, folder.path()});
  const fact<module_file> module = read_module_on_disk(node, running_kernel());
  ASSERT_TRUE(module.is_known()) << *module.problem;
  EXPECT_EQ(module->version.text(), "550.54.15");
  EXPECT_EQ(module->path, "/lib/modules/6.8.0-60-generic/updates/dkms/nvidia.ko") << "as the node knows it";
  EXPECT_EQ(module->license, "Dual MIT/GPL");
  EXPECT_EQ(module->kernel, kernel);
}

/// Makes the binary index; false where this machine cannot.
bool run_depmod(const std::filesystem::path &tree) {
  return run_command({{"depmod", "--basedir", tree, kernel}, {}}).succeeded() &&
         std::filesystem::exists(tree / (modules_folder + "modules.dep.bin"));
}

TEST(module_on_disk, by_libkmod_and_its_index) {
  temporary_folder folder;
  folder.write("usr/" + modules_folder + "updates/dkms/nvidia.ko", driver_module("550.54.15"));
  folder.link("lib", "usr/lib");
  if (!run_depmod(folder.path()) || !find_module_with_libkmod(folder / modules_folder, "nvidia"))
    GTEST_SKIP() << "needs depmod and libkmod";
  folder.write("usr/" + modules_folder + "modules.dep", ""); // the text lists none: only the index can
  host node({host_kind::tree, folder.path()});
  const fact<module_file> module = read_module_on_disk(node, running_kernel());
  ASSERT_TRUE(module.is_known()) << module.problem.value_or("absent");
  EXPECT_EQ(module->version.text(), "550.54.15");
  EXPECT_EQ(module->path, "/lib/modules/6.8.0-60-generic/updates/dkms/nvidia.ko");
  EXPECT_EQ(module.source, "modinfo nvidia (/lib/modules/6.8.0-60-generic)");
}

TEST(module_on_disk, that_libkmods_index_lists_and_a_link_leads_out_is_not_read) {
  temporary_folder folder;
  folder.write("outside.ko", driver_module("1.2.3"));
  folder.write("tree/" + modules_folder + "extra/nvidia.ko", driver_module("550.54.15"));
  if (!run_depmod(folder / "tree"))
    GTEST_SKIP() << "needs depmod";
  std::filesystem::remove(folder / ("tree/" + modules_folder + "extra/nvidia.ko"));
  folder.link("tree/" + modules_folder + "extra/nvidia.ko", (folder / "outside.ko").string());
  host node({host_kind::tree, folder / "tree"});
  EXPECT_TRUE(read_module_on_disk(node, running_kernel()).is_unknown());
}

TEST(module_on_disk, that_libkmods_index_does_not_list_is_absent) {
  temporary_folder folder;
  folder.write(modules_folder + "kernel/drivers/video/fbdev/nvidia/nvidiafb.ko", driver_module("1.0"));
  if (!run_depmod(folder.path()))
    GTEST_SKIP() << "needs depmod";
  host node({host_kind::tree, folder.path()});
  EXPECT_TRUE(read_module_on_disk(node, running_kernel()).is_absent());
}

TEST(module_on_disk, by_its_list_in_text) {
  temporary_folder folder;
  folder.write(modules_folder + "modules.dep", "kernel/fs/ext4/ext4.ko.zst: kernel/lib/crc16.ko.zst\n"
                                               "kernel/nvidia-550/nvidia-drm.ko: kernel/nvidia-550/nvidia.ko\n"
                                               "kernel/nvidia-550/nvidia.ko:\n");
  host node({host_kind::tree, folder.path()});
  EXPECT_TRUE(describe_module_from_files(node, "/lib/modules/6.8.0-60-generic").is_unknown()) << "listed, not there";
  folder.write(modules_folder + "kernel/nvidia-550/nvidia.ko", driver_module("550.54.15"));
  const fact<std::string> text = describe_module_from_files(node, "/lib/modules/6.8.0-60-generic");
  ASSERT_TRUE(text.is_known());
  EXPECT_EQ(parse_modinfo(*text)->path, "/lib/modules/6.8.0-60-generic/kernel/nvidia-550/nvidia.ko");
  EXPECT_TRUE(describe_module_from_files(node, "/lib/modules/none").is_absent());
}

TEST(module_on_disk, of_a_kernel_without_one) {
  temporary_folder folder;
  write_modules(folder, "kernel/drivers/video/fbdev/nvidia/nvidiafb.ko", driver_module("1.0"));
  folder.make_folder("lib/modules/6.8.0-61-generic");
  host node({host_kind::tree, folder.path()});
  EXPECT_TRUE(read_module_on_disk(node, running_kernel()).is_absent()) << "nvidiafb is the kernel's own";
  EXPECT_TRUE(read_module_on_disk(node, fact<std::string>::known("6.8.0-61-generic", "test")).is_absent());
  EXPECT_TRUE(read_module_on_disk(node, fact<std::string>::known("5.0.0", "test")).is_absent());
  EXPECT_TRUE(read_module_on_disk(node, fact<std::string>::unknown("test", "why")).is_unknown());
}

TEST(module_on_disk, by_a_link_inside_the_tree) { // weak-updates of Red Hat and SUSE hold absolute links
  temporary_folder folder;
  folder.write("lib/modules/6.8.0-1-generic/extra/nvidia.ko", driver_module("550.54.15"));
  folder.link(modules_folder + "weak-updates/nvidia.ko", "/lib/modules/6.8.0-1-generic/extra/nvidia.ko");
  folder.write(modules_folder + "modules.dep", "weak-updates/nvidia.ko:\n");
  host node({host_kind::tree, folder.path()});
  const fact<module_file> module = read_module_on_disk(node, running_kernel());
  ASSERT_TRUE(module.is_known()) << module.problem.value_or("absent");
  EXPECT_EQ(module->version.text(), "550.54.15");
  EXPECT_EQ(module->path, "/lib/modules/6.8.0-60-generic/weak-updates/nvidia.ko");
}

TEST(module_on_disk, by_a_link_that_leads_out_is_not_read) {
  temporary_folder folder;
  folder.write("outside.ko", driver_module("1.2.3"));
  folder.link("tree/" + modules_folder + "extra/nvidia.ko", (folder / "outside.ko").string());
  folder.write("tree/" + modules_folder + "modules.dep", "extra/nvidia.ko:\n");
  host node({host_kind::tree, folder / "tree"});
  EXPECT_FALSE(read_module_on_disk(node, running_kernel()).is_known());
}

TEST(module_on_disk, below_a_folder_that_is_a_link) { // /lib -> usr/lib
  temporary_folder folder;
  folder.write("usr/" + modules_folder + "extra/nvidia.ko", driver_module("550.54.15"));
  folder.write("usr/" + modules_folder + "modules.dep", "extra/nvidia.ko:\n");
  folder.link("lib", "usr/lib");
  host node({host_kind::tree, folder.path()});
  const fact<module_file> module = read_module_on_disk(node, running_kernel());
  ASSERT_TRUE(module.is_known()) << module.problem.value_or("absent");
  EXPECT_EQ(module->path, "/lib/modules/6.8.0-60-generic/extra/nvidia.ko");
}

TEST(module_on_disk, that_is_no_module_is_unknown) {
  temporary_folder folder;
  write_modules(folder, "extra/nvidia.ko", "rubbish");
  host node({host_kind::tree, folder.path()});
  EXPECT_TRUE(read_module_on_disk(node, running_kernel()).is_unknown());
}

TEST(modinfo_section, of_a_tiny_module) {
  EXPECT_EQ(parse_modinfo_section(tiny_module("version=550.54.15\0license=NVIDIA\0"s)),
            "version=550.54.15\nlicense=NVIDIA\n");
  const auto module = parse_modinfo(*parse_modinfo_section(driver_module("550.54.15")));
  EXPECT_EQ(module->version.text(), "550.54.15");
  EXPECT_EQ(module->kernel, kernel);
}

TEST(modinfo_section, takes_any_bytes) {
  EXPECT_FALSE(parse_modinfo_section(""));
  EXPECT_FALSE(parse_modinfo_section("\x28\xb5\x2f\xfd zstd"));
  const std::string whole = tiny_module("version=550.54.15\0"s);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(parse_modinfo_section(std::string_view(whole).substr(0, size))) << size;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char byte : {'\0', '\x7f', '\xff'}) { // the sanitizers watch
      std::string damaged = whole;
      damaged[at] = byte;
      parse_modinfo_section(damaged);
    }
}

} // namespace
} // namespace gpucert
