// SPDX-License-Identifier: Apache-2.0
#include "simulator/faults/fault_list.h"
#include "simulator/simulation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace gpucert::simulator {
namespace {

TEST(fault_list, reads_names_and_arguments) {
  const fault_list list =
      fault_list::parse("module-older,slow-memory:40,crash:conformance.gemm.f16,launch-error:3:719");
  EXPECT_TRUE(list.has(fault_name::module_older));
  EXPECT_EQ(list.find(fault_name::slow_memory)->number, 40);
  EXPECT_EQ(list.find(fault_name::crash)->text, "conformance.gemm.f16");
  EXPECT_FALSE(list.find(fault_name::crash)->number);
  EXPECT_EQ(list.find(fault_name::launch_error)->second_number, 719);
  EXPECT_FALSE(list.has(fault_name::hang));
}

TEST(fault_list, takes_every_fault_by_its_bare_word) {
  for (const fault_description &known : known_faults()) {
    fault_list list;
    ASSERT_NO_THROW(list = fault_list::parse(known.word)) << known.word;
    EXPECT_EQ(list.find(known.name)->text, known.usual);
    EXPECT_EQ(known.argument.empty(), known.usual.empty()) << known.word;
  }
  EXPECT_EQ(fault_list::parse("slow-memory").find(fault_name::slow_memory)->number, 40);
  EXPECT_EQ(fault_list::parse("launch-error").find(fault_name::launch_error)->second_number, 719);
}

TEST(fault_list, of_nothing_is_healthy) { EXPECT_TRUE(fault_list::parse("").is_empty()); }

TEST(fault_list, is_in_the_manual) {
  std::ifstream file(GPUCERT_ACCEPT_MANUAL);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const fault_description &known : known_faults()) {
    const std::string shown =
        std::string(known.word) + (known.usual.empty() ? "" : ":" + std::string(known.usual)) + " ";
    EXPECT_NE(page.find("\n  " + shown), std::string::npos) << shown;
  }
}

struct refused_text {
  const char *name;
  const char *text;
};
class refused_fault_test : public testing::TestWithParam<refused_text> {};

TEST_P(refused_fault_test, is_a_wrong_simulation_in_one_line) {
  try {
    fault_list::parse(GetParam().text);
    FAIL() << GetParam().text << " was taken";
  } catch (const wrong_simulation &error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    texts, refused_fault_test,
    testing::Values(refused_text{"unknown", "module-odler"}, refused_text{"needless_argument", "module-older:1"},
                    refused_text{"no_number", "hang:"}, refused_text{"zero", "hang:0"},
                    refused_text{"half_a_number", "hang:3x"}, refused_text{"no_memory_left", "slow-memory:100"},
                    refused_text{"no_code", "launch-error:3"}, refused_text{"no_percent", "slow-memory:"},
                    refused_text{"empty_between", "hang:1,,no-module"}, refused_text{"blank", "hang: 1"}),
    [](const auto &each) { return each.param.name; });

TEST(simulation, reads_profile_count_and_faults) {
  const simulation what = parse_simulation(GPUCERT_PROFILES, "h200x8,missing-gpu");
  EXPECT_EQ(what.gpu.name, "NVIDIA H200");
  EXPECT_EQ(what.devices, 8);
  EXPECT_EQ(what.visible_devices(), 7);
  EXPECT_EQ(what.pci_address(1), "0000:1c:00.0");
}

TEST(simulation, refuses_what_is_no_profile) {
  for (const char *text : {"", "h201", "h200x0", "h200x99", "../h200", "h200x"})
    EXPECT_THROW(parse_simulation(GPUCERT_PROFILES, text), wrong_simulation) << text;
}

TEST(simulation, every_profile_can_be_read) {
  for (const char *id : {"h200", "a100", "t4"})
    EXPECT_NO_THROW(parse_simulation(GPUCERT_PROFILES, id)) << id;
}

} // namespace
} // namespace gpucert::simulator
