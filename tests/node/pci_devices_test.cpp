// SPDX-License-Identifier: Apache-2.0
#include "node/host.h"
#include "node/pci_devices.h"
#include "tests/node/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

std::string driver_in_words(const fact<std::string> &driver) {
  return driver.is_known() ? *driver : driver.is_absent() ? "unbound" : "unknown";
}

words in_words(const fact<std::vector<pci_gpu>> &gpus) {
  if (!gpus.is_known())
    return {fmt::format("unknown: {}", gpus.problem.value_or("absent"))};
  words list;
  for (const pci_gpu &gpu : *gpus)
    list.push_back(gpu.address + " " + gpu.device_id.value_or("-") + " " + driver_in_words(gpu.bound_driver));
  return list;
}

words read(host_kind kind, const std::filesystem::path &folder) {
  host node({kind, folder});
  return in_words(read_pci_gpus(node));
}

const std::string devices = "sys/bus/pci/devices/";

void write_device(const temporary_folder &folder, const std::string &at, std::string_view vendor,
                  std::string_view device, std::string_view device_class) {
  folder.write(at + "/vendor", vendor);
  folder.write(at + "/device", device);
  folder.write(at + "/class", device_class);
}

TEST(pci_gpus, of_a_tree) {
  temporary_folder folder;
  write_device(folder, devices + "0000:00:02.0", "0x8086\n", "0x46a6\n", "0x030000\n");
  write_device(folder, devices + "0000:01:00.0", "0x10de\n", "0x2204\n", "0x030000\n"); // display
  write_device(folder, devices + "0000:01:00.1", "0x10de\n", "0x1aef\n", "0x040300\n"); // its sound
  write_device(folder, devices + "0000:01:00.2", "0x10de\n", "0x1ad6\n", "0x0c0330\n"); // its USB
  write_device(folder, devices + "0000:3b:00.0", "0x10de\n", "0x20b5\n", "0x030200\n"); // 3D controller
  write_device(folder, devices + "0000:5e:00.0", "0x10de\n", "0x22a3\n", "0x068000\n"); // NVSwitch
  folder.link(devices + "0000:01:00.0/driver", "../../../../bus/pci/drivers/nouveau");
  folder.link(devices + "0000:3b:00.0/driver", "../../../bus/pci/drivers/nvidia");
  EXPECT_EQ(read(host_kind::tree, folder.path()), (words{"0000:01:00.0 0x2204 nouveau", "0000:3b:00.0 0x20b5 nvidia"}));
}

TEST(pci_gpus, behind_links_as_sysfs_has_them) {
  temporary_folder folder;
  write_device(folder, "sys/devices/pci0000:00/0000:01:00.0", "0x10de\n", "0x2330\n", "0x030200\n");
  folder.link(devices + "0000:01:00.0", "../../../devices/pci0000:00/0000:01:00.0");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{"0000:01:00.0 0x2330 unbound"});
}

TEST(pci_gpus, none_and_unknown_differ) {
  temporary_folder folder;
  folder.make_folder("etc");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{"unknown: /sys is not in the tree"});
  folder.make_folder("sys");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{}) << "a machine without PCI";
}

TEST(pci_gpus, a_device_that_cannot_be_read_makes_the_list_unknown) {
  for (const std::string part : {"/vendor", "/class"}) {
    temporary_folder folder;
    write_device(folder, devices + "0000:01:00.0", "0x10de\n", "0x2204\n", "0x030000\n");
    std::filesystem::remove(folder / (devices + "0000:01:00.0" + part));
    folder.make_fifo(devices + "0000:01:00.0" + part); // a read that hangs, as with a wedged device
    host node({host_kind::tree, folder.path(), std::chrono::seconds(5), std::chrono::milliseconds(20)});
    EXPECT_TRUE(read_pci_gpus(node).is_unknown()) << part;
  }
}

TEST(pci_gpus, a_device_that_went_away_is_passed_over) {
  temporary_folder folder;
  write_device(folder, devices + "0000:01:00.0", "0x10de\n", "0x2204\n", "0x030000\n");
  folder.link(devices + "0000:02:00.0", "../../../devices/gone");
  EXPECT_EQ(read(host_kind::tree, folder.path()), words{"0000:01:00.0 0x2204 unbound"});
}

TEST(pci_gpus, of_a_capture_have_their_driver_in_a_file) {
  temporary_folder folder;
  write_device(folder, "root/" + devices + "0000:01:00.0", "0x10de\n", "0x2204\n", "0x030000\n");
  write_device(folder, "root/" + devices + "0000:02:00.0", "0x10de\n", "0x2204\n", "0x030000\n");
  write_device(folder, "root/" + devices + "0000:03:00.0", "0x10de\n", "0x2204\n", "0x030000\n");
  folder.write("root/" + devices + "0000:01:00.0/driver.txt", "vfio-pci\n");
  folder.write("root/" + devices + "0000:02:00.0/driver.txt", "");
  EXPECT_EQ(read(host_kind::capture, folder.path()),
            (words{"0000:01:00.0 0x2204 vfio-pci", "0000:02:00.0 0x2204 unbound", "0000:03:00.0 0x2204 unknown"}));
}

TEST(pci_gpus, of_a_capture_by_lspci) {
  temporary_folder folder;
  folder.write("commands/lspci_nnk.txt", "");
  EXPECT_EQ(read(host_kind::capture, folder.path()), words{}) << "asked, and there is none";
  folder.write("commands/lspci_nnk.txt", "01:00.0 3D controller [0302]: NVIDIA Corporation GA100 [10de:20b5] (rev a1)\n"
                                         "\tKernel driver in use: nvidia\n");
  EXPECT_EQ(read(host_kind::capture, folder.path()), words{"0000:01:00.0 0x20b5 nvidia"});
  temporary_folder other;
  other.make_folder("root");
  EXPECT_EQ(read(host_kind::capture, other.path()), words{"unknown: not in the capture"});
}

words read_lspci(std::string_view text) {
  return in_words(fact<std::vector<pci_gpu>>::known(parse_lspci(text), "lspci"));
}

TEST(lspci, one_card_with_all_its_functions) {
  EXPECT_EQ(
      read_lspci("01:00.0 VGA compatible controller [0300]: NVIDIA Corporation TU104 [GeForce RTX 2080] "
                 "[10de:1e87] (rev a1)\n"
                 "\tSubsystem: Gigabyte Technology Co., Ltd Device [1458:37a7]\n"
                 "\tKernel driver in use: nouveau\n"
                 "\tKernel modules: nvidiafb, nouveau, nvidia\n"
                 "01:00.1 Audio device [0403]: NVIDIA Corporation TU104 HD Audio Controller [10de:10f8] (rev a1)\n"
                 "\tKernel driver in use: snd_hda_intel\n"
                 "01:00.2 USB controller [0c03]: NVIDIA Corporation TU104 USB 3.1 Host Controller [10de:1ad8]\n"
                 "\tKernel driver in use: xhci_hcd\n"
                 "01:00.3 Serial bus controller [0c80]: NVIDIA Corporation TU104 USB Type-C UCSI [10de:1ad9]\n"
                 "\tKernel driver in use: nvidia-gpu\n"),
      words{"0000:01:00.0 0x1e87 nouveau"});
}

TEST(lspci, with_domain_without_driver_and_shortened_by_people) {
  EXPECT_EQ(read_lspci("0000:3b:00.0 3D controller [0302]: NVIDIA Corporation GA100 [10de:20b5] (rev a1)\n"
                       "86:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n"
                       "        Kernel driver in use: vfio-pci\n"
                       "86:00.1 Audio device: NVIDIA Corporation Device 22ba\n"),
            (words{"0000:3b:00.0 0x20b5 unbound", "0000:86:00.0 - vfio-pci"}));
}

TEST(lspci, devices_of_others_are_none_of_ours) {
  EXPECT_EQ(read_lspci("00:02.0 VGA compatible controller [0300]: Intel Corporation Alder Lake-P [8086:46a6] (rev 0c)\n"
                       "\tKernel driver in use: i915\n"
                       "03:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. Navi 21 [1002:73bf]\n"
                       "\tKernel driver in use: amdgpu\n"
                       "05:00.0 Bridge [0680]: NVIDIA Corporation GA100 [A100 NVSwitch] [10de:1af1] (rev a1)\n"),
            words{});
  EXPECT_EQ(read_lspci("bash: lspci: command not found\n"), words{});
}

TEST(lspci, takes_a_line_of_a_megabyte) { EXPECT_TRUE(parse_lspci(std::string(1 << 20, '[')).empty()); }

TEST(passthrough, is_told_from_other_drivers) {
  for (const char *driver : {"vfio-pci", "pci-stub", "nvgrace_gpu_vfio_pci", "xen-pciback", "pciback"})
    EXPECT_TRUE(is_passthrough_driver(driver)) << driver;
  for (const char *driver : {"nvidia", "nouveau", "nova_core", "NovaCore", "snd_hda_intel", ""})
    EXPECT_FALSE(is_passthrough_driver(driver)) << driver;
}

} // namespace
} // namespace gpucert
