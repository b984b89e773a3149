// SPDX-License-Identifier: Apache-2.0
#include "node/driver_version.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

TEST(driver_release, compares_numbers_not_text) {
  EXPECT_LT(*driver_release::parse("570.86.15"), *driver_release::parse("570.124.06"));
  EXPECT_LT(*driver_release::parse("575.64"), *driver_release::parse("575.64.03"));
  EXPECT_EQ(*driver_release::parse("535.161.07"), *driver_release::parse("535.161.7"));
}

TEST(driver_release, refuses_what_is_no_version) {
  for (const char *text : {"", "550", "550.", ".550", "550.54.15-0ubuntu1", "TempVersion", "x86_64", "550..54", "-1.2"})
    EXPECT_FALSE(driver_release::parse(text)) << text;
}

TEST(driver_release, prefix_ends_at_the_first_foreign_character) {
  EXPECT_EQ(driver_release::parse_prefix("550.54.15-0ubuntu1")->text(), "550.54.15");
  EXPECT_EQ(driver_release::parse_prefix("550.100_k6.9.7_1")->text(), "550.100");
  EXPECT_EQ(driver_release::parse_prefix("535.161.07.")->text(), "535.161.07") << "the end of a sentence";
}

TEST(driver_release, two_numbers_of_nvml_are_a_prefix) {
  EXPECT_TRUE(driver_release::parse("580.159")->is_prefix_of(*driver_release::parse("580.159.03")));
  EXPECT_FALSE(driver_release::parse("580.15")->is_prefix_of(*driver_release::parse("580.159.03")));
}

TEST(package_version, release_follows_the_epoch) {
  EXPECT_EQ(package_version{"3:565.77-1.el8"}.release()->text(), "565.77");
  EXPECT_FALSE(package_version{"latest"}.release());
}

} // namespace
} // namespace gpucert
