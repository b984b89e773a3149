// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_statement.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

struct statement_line {
  const char *name;
  const char *text;
  kernel_topic topic;
  const char *address = "";
};

class kernel_statement_test : public testing::TestWithParam<statement_line> {};

TEST_P(kernel_statement_test, has_its_topic) {
  const auto statement = parse_kernel_statement(GetParam().text);
  ASSERT_TRUE(statement);
  EXPECT_EQ(to_string(statement->topic), to_string(GetParam().topic));
  EXPECT_EQ(statement->address.value_or(""), GetParam().address);
}

using topic = kernel_topic;

INSTANTIATE_TEST_SUITE_P(
    wordings, kernel_statement_test,
    testing::Values(
        statement_line{"load", "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15  Fri", topic::module_loaded},
        statement_line{"unsigned_module", "Loading of unsigned module is rejected", topic::module_signature_rejected},
        statement_line{"unavailable_key", "Loading of module with unavailable key is rejected",
                       topic::module_signature_rejected},
        statement_line{"vermagic", "nvidia: version magic '5.4.18-100.fc30 SMP' should be '5.4.18-200.fc31 SMP'",
                       topic::module_vermagic},
        statement_line{"modeset", "nvidia-modeset: Version mismatch: nvidia.ko(410.73) nvidia-modeset.ko(390.87)",
                       topic::submodule_version_mismatch},
        statement_line{"open",
                       "NVRM: The NVIDIA GPU 0000:03:00.0 (PCI ID: 10de:1bb3) installed in this system is not "
                       "supported by open nvidia.ko because it does not include the required GPU",
                       topic::gpu_unsupported_by_open, "0000:03:00.0"},
        statement_line{"release",
                       "NVRM: The NVIDIA GPU 0000:03:00.0 (PCI ID: 10de:2b85) installed in this system is "
                       "not supported by the NVIDIA 520.56.06 driver release.",
                       topic::gpu_unsupported_by_release, "0000:03:00.0"},
        statement_line{"gsp_other",
                       "NVRM: GPU0 _kgspFwContainerVerifyVersion: GSP firmware image version mismatch: got "
                       "version 595.71.05, expected version 595.58.03",
                       topic::gsp_firmware_mismatch},
        statement_line{"gsp_absent",
                       "nvidia 0000:01:00.0: Direct firmware load for nvidia/515.43.04/gsp.bin failed "
                       "with error -2",
                       topic::gsp_firmware_load_failed, "0000:01:00.0"},
        statement_line{"gsp_interrupted",
                       "nvidia 0000:01:00.0: loading /lib/firmware/nvidia/570.172.08/gsp_ga10x.bin "
                       "failed with error -4",
                       topic::gsp_firmware_load_failed, "0000:01:00.0"},
        statement_line{"firmware_of_nouveau",
                       "nouveau 0000:01:00.0: Direct firmware load for nvidia/ga102/gsp/"
                       "booter_load-535.113.01.bin failed with error -2",
                       topic::nouveau, "0000:01:00.0"},
        statement_line{"init", "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x62:0x25:2015)", topic::rm_init_failed,
                       "0000:01:00.0"},
        statement_line{"probe", "nvidia 0000:09:00.0: probe with driver nvidia failed with error -1",
                       topic::probe_failed, "0000:09:00.0"},
        statement_line{"bus",
                       "NVRM: The NVIDIA GPU 0000:b3:00.0 (PCI ID: 10de:26b5) installed in this system has "
                       "fallen off the bus and is not responding to commands.",
                       topic::fell_off_bus, "0000:b3:00.0"},
        statement_line{"boot", "NVRM: GPU0 gpuWaitForGfwBootComplete_TU102: failed to wait for GFW_BOOT",
                       topic::gpu_firmware_boot_failed},
        statement_line{"wpr2", "NVRM: GPU0 kgspBootstrap_TU102: unexpected WPR2 already up, cannot proceed",
                       topic::gsp_bad_state},
        statement_line{"power", "NVRM: GPU 0000:01:00.0: GPU does not have the necessary power cables connected.",
                       topic::aux_power_missing, "0000:01:00.0"},
        statement_line{"oom", "python3 invoked oom-killer: gfp_mask=0x140cca", topic::out_of_memory_killer},
        statement_line{"oom_result", "Memory cgroup out of memory: Killed process 4021 (python3)",
                       topic::out_of_memory_killer},
        statement_line{"aer_by_port", "pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0",
                       topic::pcie_error_corrected, "0000:01:00.0"},
        statement_line{"aer_new", "pcieport 0000:00:01.0: AER: Correctable error message received from 0000:01:00.0",
                       topic::pcie_error_corrected, "0000:01:00.0"},
        statement_line{"aer_fatal", "nvidia 0000:01:00.0: PCIe Bus Error: severity=Uncorrected (Fatal)",
                       topic::pcie_error_uncorrected, "0000:01:00.0"},
        statement_line{"lockdown", "Kernel is locked down from EFI Secure Boot mode; see man kernel_lockdown.7",
                       topic::lockdown}),
    [](const auto &tested) { return tested.param.name; });

TEST(kernel_statement, of_healthy_messages_is_none) {
  for (const char *text :
       {"nvidia: module verification failed: signature and/or required key missing - tainting kernel",
        "nvidia: loading out-of-tree module taints kernel.", "pcieport 0000:00:01.0: AER: enabled with IRQ 122",
        "acpi PNP0A08:00: _OSC: OS now controls [PCIeHotplug SHPCHotplug PME AER PCIeCapability LTR]",
        "NVRM: GPU at 0000:01:00.0 has software scheduler ENABLED with policy BEST_EFFORT.", "",
        "Loading of the modules is complete",
        "nvidia-nvlink: Nvlink Core is being initialized, major device number 249",
        "somebody wrote that a GPU has fallen off the bus"})
    EXPECT_FALSE(parse_kernel_statement(text)) << text;
}

TEST(kernel_statement, holds_a_release) {
  EXPECT_EQ(release_in("NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  570.158.01  Release")->text(),
            "570.158.01");
  EXPECT_FALSE(release_in("NVRM: loading NVIDIA UNIX Open Kernel Module for aarch64  TempVersion  Release Build"));
}

} // namespace
} // namespace gpucert
