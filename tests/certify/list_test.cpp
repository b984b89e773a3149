// SPDX-License-Identifier: Apache-2.0
// gpucert list: the checks, and the catalogue.
#include "checks/catalogue.h"
#include "checks/check.h"
#include "tests/certify/running.h"

namespace gpucert {
namespace {

std::size_t lines_of(const std::string &text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(list, checks_with_those_that_decide) {
  const json list = json::parse(run_gpucert({"list", "checks", "--format", "json"}).output).at("checks");
  ASSERT_EQ(list.size(), all_checks().size());
  std::vector<std::string> deciding;
  for (const json &entry : list)
    if (entry.at("decides").get<bool>())
      deciding.push_back(entry.at("id"));
  EXPECT_EQ(deciding, (std::vector<std::string>{"device_files", "driver_versions", "hung_reads", "modules",
                                                "other_driver", "platform_driver"}));
  EXPECT_EQ(lines_of(run_gpucert({"list", "checks"}).output), list.size());
}

TEST(list, findings_and_actions_of_the_catalogue) {
  const json findings = json::parse(run_gpucert({"list", "findings", "--format", "json"}).output).at("findings");
  ASSERT_EQ(findings.size(), catalogue::built_in().findings().size());
  for (const json &entry : findings)
    EXPECT_EQ(entry.at("severity"), name_of(catalogue::built_in().find(entry.at("id").get<std::string>())->severity));
  const json actions = json::parse(run_gpucert({"list", "actions", "--format", "json"}).output).at("actions");
  EXPECT_EQ(actions.size(), catalogue::built_in().actions().size());
  EXPECT_EQ(lines_of(run_gpucert({"list", "findings"}).output), findings.size());
  EXPECT_EQ(lines_of(run_gpucert({"list", "actions"}).output), actions.size());
}

TEST(list, markdown_is_the_page_in_docs) {
  EXPECT_TRUE(run_gpucert({"list", "findings", "--format", "markdown"}).output ==
              read_text(GPUCERT_SOURCE_DIR "/docs/findings.md"))
      << "write docs/findings.md anew";
}

} // namespace
} // namespace gpucert
