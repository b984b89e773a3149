// SPDX-License-Identifier: Apache-2.0
// Each place that a node is read from, as a read that never ends: the rest is judged all the same, and what could not
// be read makes no fault. See awkward_nodes_test.cpp for whole nodes of them.
#include "tests/certify/running.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

/// A FIFO without a writer: a reader waits for ever.
void make_fifo(const fs::path &place) {
  fs::create_directories(place.parent_path());
  fs::remove_all(place);
  ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0) << place << ": " << std::strerror(errno);
}

command_result check_briefly(const char *option, const fs::path &node) {
  return run_gpucert({"check", option, node, "--deadline", "0.1", "--format", "json"});
}

void expect_no_fault(const command_result &ran, std::string_view place) {
  ASSERT_EQ(ran.end, command_end::exited) << place << ": " << ran.how_it_ended();
  EXPECT_TRUE(ran.exit_code == 0 || ran.exit_code == 3) << place << ": " << ran.exit_code;
  const json stack = stack_of(ran);
  ASSERT_TRUE(stack.is_object()) << place << ": " << ran.output << ran.errors;
  for (const json &found : stack.at("findings"))
    EXPECT_EQ(found.at("severity"), "info") << place << ": " << found;
}

class wedged_place : public testing::TestWithParam<const char *> {};

// One at a time, in a healthy node of a kind that has the others.
TEST_P(wedged_place, makes_no_fault) {
  const test_folder folder;
  const fs::path node = copy_node("healthy_ubuntu_server_prebuilt_260", folder);
  make_fifo(node / GetParam());
  expect_no_fault(check_briefly("--root", node), GetParam());
  if (std::string_view(GetParam()).starts_with("root/")) {
    const command_result ran = check_briefly("--tree", node / "root");
    EXPECT_EQ(ran.end, command_end::exited) << ran.how_it_ended();
    EXPECT_TRUE(stack_of(ran).is_object()) << ran.output << ran.errors;
  }
  EXPECT_EQ(processes_that_name(node.string()), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(documents, wedged_place,
                         testing::Values("commands/cdi_absent_paths.txt", "commands/container_devices_list.txt",
                                         "commands/container_ls_l.txt", "commands/dkms_make_log.txt",
                                         "commands/dkms_status.txt", "commands/dmesg.txt", "commands/dpkg_l.txt",
                                         "commands/env.txt", "commands/find_libraries.txt", "commands/find_modules.txt",
                                         "commands/flatpak_list.txt", "commands/journal.txt",
                                         "commands/journal_fabricmanager.txt", "commands/journal_kernel.txt",
                                         "commands/last.txt", "commands/ldconfig_p.txt", "commands/lsmod.txt",
                                         "commands/lspci_nnk.txt", "commands/modinfo_nvidia.txt",
                                         "commands/modinfo_nvidia_copies.txt", "commands/modinfo_nvidia_initramfs.txt",
                                         "commands/modinfo_nvidia_next_kernel.txt", "commands/mokutil_sb_state.txt"));

INSTANTIATE_TEST_SUITE_P(more_documents, wedged_place,
                         testing::Values("commands/nvidia_smi.txt", "commands/nvidia_smi_l.txt",
                                         "commands/nvidia_smi_q.txt", "commands/pacman_q.txt", "commands/readlink.txt",
                                         "commands/rpm_ostree_status.txt", "commands/rpm_qa.txt",
                                         "commands/systemctl_status_fabricmanager.txt", "commands/uname_r.txt",
                                         "commands/windows_nvidia_smi.txt", "symptoms/cuda_error.txt",
                                         "symptoms/install_commands.txt", "nvml.json", "root/boot.list",
                                         "root/dev.list", "root/lib/firmware.list", "root/lib/modules.list"));

INSTANTIATE_TEST_SUITE_P(
    files_of_the_kernel, wedged_place,
    testing::Values("root/proc/cmdline", "root/proc/devices", "root/proc/driver/nvidia/params",
                    "root/proc/driver/nvidia/version", "root/proc/modules", "root/proc/stat",
                    "root/proc/sys/kernel/osrelease", "root/proc/4121/maps",
                    "root/sys/bus/pci/devices/0000:3b:00.0/class",
                    "root/sys/bus/pci/devices/0000:3b:00.0/current_link_speed",
                    "root/sys/bus/pci/devices/0000:3b:00.0/vendor",
                    "root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
                    "root/sys/module/firmware_class/parameters/path", "root/sys/module/nvidia/version",
                    "root/sys/module/nvidia_uvm/version"));

INSTANTIATE_TEST_SUITE_P(files_of_the_system, wedged_place,
                         testing::Values("root/boot/grub/grubenv", "root/etc/NIXOS", "root/etc/apt/apt.conf",
                                         "root/etc/apt/apt.conf.d/50unattended-upgrades", "root/etc/apt/preferences",
                                         "root/etc/cdi/nvidia.yaml", "root/etc/default/grub",
                                         "root/etc/dnf/automatic.conf", "root/etc/dnf/dnf.conf",
                                         "root/etc/dnf/plugins/versionlock.list", "root/etc/dnf/versionlock.toml",
                                         "root/etc/ld.so.cache", "root/etc/modprobe.d/nvidia.conf",
                                         "root/etc/nv_tegra_release", "root/etc/os-release",
                                         "root/etc/transactional-update.conf", "root/etc/yum.repos.d/cuda.repo",
                                         "root/lib/modules/6.8.0-60-generic/modules.dep",
                                         "root/var/lib/dkms/nvidia/550.163.01/build/make.log",
                                         "root/var/lib/dpkg/status", "root/var/lib/pacman/local/nvidia-550/desc",
                                         "root/var/lib/rpm/rpmdb.sqlite", "root/var/run/cdi/nvidia.yaml"));

INSTANTIATE_TEST_SUITE_P(logs, wedged_place,
                         testing::Values("root/var/log/akmods/akmods.log", "root/var/log/apt/history.log",
                                         "root/var/log/apt/term.log", "root/var/log/dmesg", "root/var/log/dnf.rpm.log",
                                         "root/var/log/dpkg.log", "root/var/log/fabricmanager.log",
                                         "root/var/log/kern.log", "root/var/log/messages", "root/var/log/pacman.log",
                                         "root/var/log/wtmp", "root/var/log/zypp/history"));

class healthy_node_with_a_wedged_file : public testing::TestWithParam<const char *> {};

TEST_P(healthy_node_with_a_wedged_file, has_no_fault) {
  const test_folder folder;
  const fs::path node = copy_node(GetParam(), folder);
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(node))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  for (const fs::path &file : files) {
    const std::string kept = read_text(file);
    make_fifo(file);
    expect_no_fault(check_briefly("--root", node), file.string());
    fs::remove(file);
    write_text(file, kept);
  }
}

INSTANTIATE_TEST_SUITE_P(kinds, healthy_node_with_a_wedged_file,
                         testing::Values("healthy_debian_12_262", "healthy_rocky_9_263", "healthy_arch_265",
                                         "healthy_hgx_fabric_manager_268", "healthy_wsl2_267"),
                         [](const auto &entry) { return std::string(entry.param); });

// Messages that repeat for weeks fill a log: the newest 64 MiB are read, whatever lies before them.
TEST(huge_kernel_log, is_read_from_its_end) {
  const test_folder folder;
  const fs::path node = copy_node("healthy_ubuntu_server_prebuilt_260", folder);
  const fs::path log = node / "commands/dmesg.txt";
  write_text(log,
             "[    1.000000] NVRM: Xid (PCI:0000:3b:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error\n");
  constexpr std::uintmax_t gigabyte = std::uintmax_t{1} << 30;
  fs::resize_file(log, gigabyte); // sparse: it takes no space on the disk
  std::ofstream(log, std::ios::app | std::ios::binary)
      << "\n[ 9999.000000] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the "
         "bus.\n";
#ifdef GPUCERT_SANITIZED
  const std::string limit = "true"; // AddressSanitizer takes terabytes of addresses for itself
#else
  const std::string limit = "ulimit -v 524288"; // KiB: half of the log
#endif
  const command_result ran =
      run_script(limit + "; exec \"$@\"", {program, "check", "--root", node, "--format", "json"});
  ASSERT_EQ(ran.end, command_end::exited) << ran.how_it_ended();
  EXPECT_EQ(ran.exit_code, 2) << ran.errors;
  const json stack = stack_of(ran);
  ASSERT_TRUE(stack.is_object()) << ran.output << ran.errors;
  EXPECT_TRUE(is_reported(stack, "hw.fell-off-bus"));
  EXPECT_EQ(ran.output.find("NVLink: fatal error"), std::string::npos);
}

} // namespace
} // namespace gpucert
