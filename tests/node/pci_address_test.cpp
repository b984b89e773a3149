// SPDX-License-Identifier: Apache-2.0
#include "node/pci_address.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

TEST(pci_address, has_one_form) {
  for (const char *text : {"0000:3b:00.0", "0000:3B:00", "PCI:0000:3b:00", "3b:00.0", "00000000:3B:00.0", "0000:3b",
                           "0000:3b:00 GPU-I:05 GPU-CI:00"})
    EXPECT_EQ(parse_pci_address(text), "0000:3b:00.0") << text;
  EXPECT_EQ(parse_pci_address("0000:10:1c"), "0000:10:1c.0") << "devices of clouds have numbers other than 0";
  EXPECT_EQ(parse_pci_address("PCI:0019:01:00"), "0019:01:00.0");
  EXPECT_EQ(parse_pci_address("0000:3b:00.1"), "0000:3b:00.1");
}

TEST(pci_address, of_other_text_is_none) {
  for (const char *text : {"", "PCI:", "node", "12", "10:00:00 is a time", "x:1:2", "123456789:1:1"})
    EXPECT_FALSE(parse_pci_address(text) == "0000:3b:00.0") << text;
  EXPECT_FALSE(parse_pci_address("node"));
  EXPECT_FALSE(parse_pci_address("10:00:00 is a time"));
}

TEST(pci_address, is_found_in_a_message) {
  EXPECT_EQ(find_pci_address("nvidia 0000:01:00.0: probe failed"), "0000:01:00.0");
  EXPECT_EQ(find_pci_address("NVRM: The NVIDIA GPU 0000:b3:00.0"), "0000:b3:00.0");
  EXPECT_EQ(find_pci_address("at 18:55:23 (PCI ID: 10de:26b5) 10000:e1:00.0"), "10000:e1:00.0");
  EXPECT_FALSE(find_pci_address("GPU0 RmInitAdapter: (0x62:0x25:2015)"));
  EXPECT_FALSE(find_pci_address(":::"));
}

} // namespace
} // namespace gpucert
