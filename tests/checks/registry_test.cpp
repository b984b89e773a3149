// SPDX-License-Identifier: Apache-2.0
#include "checks/catalogue.h"
#include "checks/check.h"
#include "node/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace gpucert {
namespace {

template <int> struct unit { // each test has a registry of its own
  std::string name;
};

TEST(registry, sorts_its_units_by_name) {
  using units = registry<unit<0>>;
  for (const char *name : {"modules", "device_files", "other_driver"})
    units::add({name});
  ASSERT_EQ(units::units().size(), 3U);
  EXPECT_EQ(units::units()[0].name, "device_files");
  EXPECT_EQ(units::units()[2].name, "other_driver");
}

TEST(registry, refuses_one_name_twice) {
  using units = registry<unit<1>>;
  for (const char *name : {"modules", "device_files", "modules"})
    units::add({name});
  try {
    units::units();
    FAIL() << "no exception";
  } catch (const std::logic_error &error) {
    EXPECT_STREQ(error.what(), "two units are named modules: rename one");
  }
  EXPECT_THROW(units::units(), std::logic_error) << "also when asked again";
}

TEST(registry, may_be_empty) { EXPECT_TRUE(registry<unit<2>>::units().empty()); }

TEST(checks, are_all_there) {
  std::set<std::string> names, deciding;
  for (const check &unit : all_checks()) {
    names.emplace(unit.name);
    if (unit.decides)
      deciding.emplace(unit.name);
    EXPECT_FALSE(unit.summary.empty()) << unit.name;
    EXPECT_NE(unit.judge, nullptr) << unit.name;
  }
  for (const char *name :
       {"device_files", "driver_versions", "gpu_count", "modules", "other_driver", "package_changes"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_EQ(deciding, (std::set<std::string>{"device_files", "driver_versions", "hung_reads", "modules", "other_driver",
                                             "platform_driver"}));
}

} // namespace
} // namespace gpucert
