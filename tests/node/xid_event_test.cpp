// SPDX-License-Identifier: Apache-2.0
#include "node/xid_event.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

struct line {
  const char *name;
  const char *text;
  int xid;
  const char *address;
  std::optional<int> pid;
  std::optional<std::string> process;
  const char *body;
};

class xid_line_test : public testing::TestWithParam<line> {};

TEST_P(xid_line_test, is_read) {
  const auto event = parse_xid(GetParam().text);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->xid, GetParam().xid);
  EXPECT_EQ(event->address, GetParam().address);
  EXPECT_EQ(event->pid, GetParam().pid);
  EXPECT_EQ(event->name, GetParam().process);
  EXPECT_EQ(event->body, GetParam().body);
  EXPECT_FALSE(event->is_sxid);
}

INSTANTIATE_TEST_SUITE_P(
    eras, xid_line_test,
    testing::Values(
        line{"since_515",
             "NVRM: Xid (PCI:0000:cb:00): 109, pid=1797828, name=pt_main_thread, Ch 00000008, errorString "
             "CTX SWITCH TIMEOUT, Info 0x58005",
             109, "0000:cb:00.0", 1797828, "pt_main_thread",
             "Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x58005"},
        line{"process_unknown",
             "NVRM: Xid (PCI:0000:cb:00): 13, pid='<unknown>', name=<unknown>, Graphics SM Warp "
             "Exception on (GPC 7, TPC 7, SM 0): Illegal Instruction Parameter",
             13, "0000:cb:00.0", std::nullopt, std::nullopt,
             "Graphics SM Warp Exception on (GPC 7, TPC 7, SM 0): Illegal Instruction Parameter"},
        line{"process_left_out", "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.", 79, "0000:01:00.0",
             std::nullopt, std::nullopt, "GPU has fallen off the bus."},
        line{"pid_without_name", "NVRM: Xid (PCI:0000:01:00): 62, pid=2763, 0c83(1870) 00000000 00000000", 62,
             "0000:01:00.0", 2763, std::nullopt, "0c83(1870) 00000000 00000000"},
        line{"without_pci", "NVRM: Xid (0000:03:00): 14, Channel 00000001", 14, "0000:03:00.0", std::nullopt,
             std::nullopt, "Channel 00000001"},
        line{"oldest_address", "NVRM: Xid (0000:05): 6, PE0002", 6, "0000:05:00.0", std::nullopt, std::nullopt,
             "PE0002"},
        line{"number_alone", "NVRM: Xid (PCI:0000:10:1c): 63", 63, "0000:10:1c.0", std::nullopt, std::nullopt, ""},
        line{"mig_instance", "NVRM: Xid (PCI:0000:01:00 GPU-I:05 GPU-CI:00): 31, pid=5, name=ray::WorkerDict, Ch 1", 31,
             "0000:01:00.0", 5, "ray::WorkerDict", "Ch 1"},
        line{"abridged_by_a_person", "NVRM: Xid (PCI:0000:03:00): 74, pid=..., NVLink: Fatal error", 74, "0000:03:00.0",
             std::nullopt, std::nullopt, "NVLink: Fatal error"}),
    [](const auto &tested) { return tested.param.name; });

TEST(xid_event, names_its_cause) {
  const auto event = parse_xid("NVRM: Xid (PCI:0000:dc:00): 45, pid=1, name=python3, Ch 1 caused by previous Xid 149");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->caused_by, 149);
}

TEST(xid_event, nonfatal_is_not_fatal) {
  EXPECT_EQ(parse_xid("NVRM: Xid (PCI:0018:01:00): 149, NETIR_LINK_EVT Fatal XC0 i0")->is_fatal, true);
  EXPECT_EQ(parse_xid("NVRM: Xid (PCI:0018:01:00): 145, RLW_RXPIPE Nonfatal XC0 i0")->is_fatal, false);
  EXPECT_FALSE(parse_xid("NVRM: Xid (PCI:0018:01:00): 31, Ch 1")->is_fatal);
}

TEST(xid_event, of_a_switch) {
  const auto grave = parse_xid("nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 30 LTSSM Fault Up");
  ASSERT_TRUE(grave);
  EXPECT_TRUE(grave->is_sxid);
  EXPECT_EQ(grave->xid, 20034);
  EXPECT_EQ(grave->is_fatal, true);
  EXPECT_EQ(parse_xid("nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress")->is_fatal, false);
}

TEST(xid_event, of_other_text_is_none) {
  for (const char *text :
       {"", "NVRM: Xid", "NVRM: Xid (PCI:0000:01:00)", "NVRM: Xid (PCI:0000:01:00): ", "NVRM: Xid (PCI:0000:01:00): x",
        "somebody wrote: NVRM: Xid (PCI:0000:01:00): 79, GPU", "NVRM: Xid (PCI:0000:01:00): -1"})
    EXPECT_FALSE(parse_xid(text)) << text;
}

} // namespace
} // namespace gpucert
