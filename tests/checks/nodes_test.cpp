// SPDX-License-Identifier: Apache-2.0
// The answers in tests/nodes/*/expected.json speak the language of the catalogue. Whether gpucert gives them is tested
// elsewhere.
#include "checks/catalogue.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace gpucert {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const catalogue &shipped() { return catalogue::built_in(); }

std::map<std::string, json> read_answers() {
  std::map<std::string, json> answers;
  for (const fs::directory_entry &node : fs::directory_iterator(GPUCERT_SOURCE_DIR "/tests/nodes"))
    if (node.is_directory()) {
      std::ifstream file(node.path() / "expected.json");
      answers[node.path().filename()] = json::parse(file, nullptr, false);
    }
  return answers;
}

const std::map<std::string, json> &answers() {
  static const std::map<std::string, json> all = read_answers();
  return all;
}

TEST(node_answers, are_there) { EXPECT_GE(answers().size(), 75U); }

TEST(node_answers, have_the_keys_of_the_readme) {
  const std::set<std::string> required = {"finding", "also", "not", "action", "diagnosable", "title", "source"};
  for (const auto &[node, answer] : answers()) {
    ASSERT_TRUE(answer.is_object()) << node << " has no readable expected.json";
    for (const std::string &key : required)
      EXPECT_TRUE(answer.contains(key)) << node << ": " << key;
    for (const auto &[key, value] : answer.items())
      EXPECT_TRUE(required.contains(key) || key == "note" || key == "stand_ins") << node << ": " << key;
  }
}

TEST(node_answers, name_findings_and_their_actions) {
  for (const auto &[node, answer] : answers()) {
    SCOPED_TRACE(node);
    for (const char *list : {"also", "not"})
      for (const std::string id : answer.at(list))
        EXPECT_TRUE(shipped().find(id)) << id;
    if (answer.at("finding").is_null()) {
      EXPECT_EQ(answer.at("action"), "none");
      continue;
    }
    const finding_definition *const finding = shipped().find(answer.at("finding").get<std::string>());
    ASSERT_TRUE(finding);
    EXPECT_EQ(answer.at("action"), finding->action);
  }
}

TEST(node_answers, do_not_contradict_themselves) {
  for (const auto &[node, answer] : answers()) {
    const std::set<std::string> also = answer.at("also");
    for (const std::string id : answer.at("not"))
      EXPECT_FALSE(also.contains(id) || answer.at("finding") == id) << node << ": " << id;
  }
}

// Where the files prove the root cause, nothing that may stand beside it folds it. The exceptions are deeper causes
// which those files do not show.
TEST(node_answers, root_causes_are_not_folded_under_what_stands_beside_them) {
  const std::set<std::pair<std::string, std::string>> deeper_but_not_shown = {
      {"dpkg_half_configured_008", "driver.dkms-build-failed"},                    // the log of the build
      {"on_disk_module_older_than_userspace_025", "packages.module-source-older"}, // the source tree
      {"dkms_diff_built_installed_089", "driver.duplicate-module-copies"},         // the modules on disk
  };
  for (const auto &[node, answer] : answers()) {
    if (answer.at("finding").is_null() || answer.at("diagnosable") != "yes")
      continue;
    for (const std::string id : answer.at("also"))
      EXPECT_TRUE(!shipped().folds(id, answer.at("finding").get<std::string>()) ||
                  deeper_but_not_shown.contains({node, id}))
          << node << ": " << id << " would replace the root cause";
  }
}

} // namespace
} // namespace gpucert
