// SPDX-License-Identifier: Apache-2.0
// Every capture of tests/nodes gets the answer of its expected.json. Those that the checks do not judge rightly yet
// stand in tests/nodes/not_yet.txt, which may only shrink.
#include "checks/catalogue.h"
#include "tests/certify/running.h"

#include <set>
#include <sstream>

namespace gpucert {
namespace {

std::set<std::string> read_not_yet() {
  std::set<std::string> names;
  std::istringstream lines(read_text(nodes_folder + "not_yet.txt"));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && !line.starts_with('#'))
      names.insert(line);
  return names;
}

struct answer_given {
  json stack;
  int exit_code;
};

answer_given ask(const std::string &node) {
  const command_result ran = run_gpucert({"check", "--root", nodes_folder + node, "--format", "json"});
  EXPECT_EQ(ran.end, command_end::exited) << ran.how_it_ended();
  EXPECT_EQ(ran.errors, "");
  return {stack_of(ran), ran.exit_code};
}

json read_expected(const std::string &node) { return json::parse(read_text(nodes_folder + node + "/expected.json")); }

/// Ids reported as findings of their own, at least of this severity.
std::set<std::string> reported(const json &stack, severity least) {
  std::set<std::string> ids;
  const std::set<std::string> explained = stack.at("diagnosis").at("explained");
  for (const json &found : stack.at("findings")) {
    const std::string id = found.at("id");
    if (!explained.contains(id) && catalogue::built_in().find(id)->severity >= least)
      ids.insert(id);
  }
  return ids;
}

std::string forbidden_ids(const json &stack, const json &expected, severity least) {
  const std::set<std::string> ids = reported(stack, least);
  std::string found;
  for (const std::string id : expected.at("not"))
    if (ids.contains(id))
      found += " " + id;
  return found;
}

bool names_root_cause(const answer_given &given, const json &expected) {
  const json &root = given.stack.at("diagnosis").at("root_cause");
  if (expected.at("finding").is_null())
    return reported(given.stack, severity::fail).empty() && (given.exit_code == 0 || given.exit_code == 3);
  if (root.is_null())
    return false;
  const bool is_fault = catalogue::built_in().find(root.get<std::string>())->severity == severity::fail;
  if (root == expected.at("finding"))
    return given.stack.at("diagnosis").at("action") == expected.at("action") && (given.exit_code == 2) == is_fault;
  const std::set<std::string> also = expected.at("also");
  return expected.at("diagnosable") != "yes" && also.contains(root.get<std::string>());
}

class capture_nodes : public testing::TestWithParam<std::string> {};

TEST_P(capture_nodes, are_judged_as_expected) {
  const answer_given given = ask(GetParam());
  ASSERT_TRUE(given.stack.is_object()) << "no JSON";
  ASSERT_TRUE(given.exit_code == 0 || given.exit_code == 2 || given.exit_code == 3) << given.exit_code;
  EXPECT_EQ(given.stack.at("exit_code"), given.exit_code);

  const json expected = read_expected(GetParam());
  EXPECT_EQ(forbidden_ids(given.stack, expected, severity::fail), "");
  const std::string forbidden = forbidden_ids(given.stack, expected, severity::info);
  const bool is_right = names_root_cause(given, expected) && forbidden.empty();
  if (read_not_yet().contains(GetParam())) {
    EXPECT_FALSE(is_right) << "it is right now: remove it from not_yet.txt";
    return;
  }
  EXPECT_TRUE(is_right) << "want " << expected.at("finding") << " with " << expected.at("action") << ", got "
                        << given.stack.at("diagnosis").at("root_cause") << " with "
                        << given.stack.at("diagnosis").at("action") << ", exit " << given.exit_code
                        << (forbidden.empty() ? "" : "; must not be reported:") << forbidden;
}

INSTANTIATE_TEST_SUITE_P(all, capture_nodes, testing::ValuesIn(node_names()),
                         [](const auto &node) { return node.param; });

TEST(capture_not_yet, is_sorted_and_names_nodes) {
  std::istringstream lines(read_text(nodes_folder + "not_yet.txt"));
  std::string before;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#'))
      continue;
    EXPECT_LT(before, line);
    EXPECT_TRUE(std::filesystem::is_directory(nodes_folder + line)) << line;
    before = line;
  }
}

} // namespace
} // namespace gpucert
