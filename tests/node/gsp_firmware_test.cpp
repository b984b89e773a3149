// SPDX-License-Identifier: Apache-2.0
#include "node/gsp_firmware.h"
#include "node/host.h"
#include "tests/node/temporary_folder.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

TEST(gsp_firmware, list_names_releases) {
  EXPECT_EQ(parse_firmware_list("/lib/firmware/nvidia/580.159.03/gsp_tu10x.bin\n"
                                "/lib/firmware/nvidia/580.159.03/gsp_ga10x.bin.zst\n"
                                "lib/firmware/nvidia/515.43.04/gsp.bin\n"
                                "/lib/firmware/nvidia/ga102/gsp/booter_load-535.113.01.bin\n"
                                "/lib/firmware/nvidia/535.1.2/readme\n\n"),
            (words{"515.43.04", "580.159.03"}));
}

TEST(gsp_firmware, is_switched_off_by_an_option) {
  EXPECT_EQ(parse_firmware_switched_off("EnableGpuFirmware: 0\nEnableGpuFirmwareLogs: 2\n"),
            words{"EnableGpuFirmware: 0"});
  EXPECT_EQ(parse_firmware_switched_off("options nvidia NVreg_EnableGpuFirmware=0 NVreg_X=1\n").size(), 1U);
  EXPECT_EQ(parse_firmware_switched_off("quiet nvidia.NVreg_EnableGpuFirmware=0x0 splash\n").size(), 1U);
  EXPECT_TRUE(parse_firmware_switched_off("EnableGpuFirmware: 18\nEnableGpuFirmwareLogs: 0\n"
                                          "# options nvidia NVreg_EnableGpuFirmware=0\n"
                                          "options nvidia NVreg_EnableGpuFirmware=1\n")
                  .empty());
}

TEST(gsp_firmware, of_a_tree) {
  temporary_folder folder;
  folder.write("lib/firmware/nvidia/550.54.15/gsp_ga10x.bin", "x");
  folder.write("lib/firmware/nvidia/tu102/gsp/x.bin", "x");
  folder.make_folder("sys");
  folder.write("etc/modprobe.d/nvidia.conf", "options nvidia NVreg_EnableGpuFirmware=0\n");
  folder.write("etc/modprobe.d/nvidia.conf.bak", "options nvidia NVreg_EnableGpuFirmware=0\n");
  host node({host_kind::tree, folder.path()});
  const gsp_firmware found = read_gsp_firmware(node);
  EXPECT_EQ(*found.releases, words{"550.54.15"});
  ASSERT_EQ(found.switched_off.size(), 1U);
  EXPECT_EQ(found.switched_off[0].source, "/etc/modprobe.d/nvidia.conf");

  folder.write("lib/firmware/updates/nvidia/x", "");
  host updated({host_kind::tree, folder.path()});
  EXPECT_TRUE(read_gsp_firmware(updated).releases.is_unknown()) << "the kernel looks there first";
}

TEST(gsp_firmware, of_a_capture) {
  temporary_folder folder;
  folder.write("root/lib/firmware.list", "/lib/firmware/nvidia/550.54.15/gsp_ga10x.bin\n");
  host node({host_kind::capture, folder.path()});
  EXPECT_EQ(*read_gsp_firmware(node).releases, words{"550.54.15"});
  folder.make_folder("other/root");
  host without({host_kind::capture, folder / "other"});
  EXPECT_TRUE(read_gsp_firmware(without).releases.is_unknown());
}

} // namespace
} // namespace gpucert
