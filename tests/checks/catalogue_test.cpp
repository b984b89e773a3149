// SPDX-License-Identifier: Apache-2.0
#include "checks/catalogue.h"
#include "checks/catalogue_page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>

namespace gpucert {
namespace {

using nlohmann::json;

const catalogue &shipped() { return catalogue::built_in(); }

std::string read_source(const std::string &path) {
  std::ifstream file(GPUCERT_SOURCE_DIR "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(catalogue, permanent_ids_are_all_there) {
  std::istringstream lines(read_source("tests/checks/permanent_ids.txt"));
  std::set<std::string> findings, actions;
  for (std::string kind, id; lines >> kind;) {
    if (kind.starts_with('#')) {
      std::getline(lines, id);
      continue;
    }
    lines >> id;
    ASSERT_TRUE(kind == "finding" || kind == "action") << kind;
    EXPECT_TRUE(kind == "finding" ? shipped().find(id) != nullptr : shipped().action(id) != nullptr)
        << id << " is gone";
    (kind == "finding" ? findings : actions).insert(id);
  }
  for (const finding_definition &finding : shipped().findings())
    EXPECT_TRUE(findings.contains(finding.id)) << finding.id << " is new: add it to permanent_ids.txt";
  for (const action_definition &action : shipped().actions())
    EXPECT_TRUE(actions.contains(action.id)) << action.id << " is new: add it to permanent_ids.txt";
}

TEST(catalogue, page_in_docs_is_the_generated_one) {
  EXPECT_TRUE(read_source("docs/findings.md") == findings_page(shipped()))
      << "docs/findings.md differs from the catalogue. Write it anew:\n"
         "  gpucert list findings --format markdown > docs/findings.md";
}

TEST(catalogue, texts_are_filled_and_end_properly) {
  for (const finding_definition &finding : shipped().findings()) {
    EXPECT_FALSE(finding.title.empty() || finding.title.ends_with('.')) << finding.id << ": a title has no full stop";
    EXPECT_TRUE(finding.meaning.ends_with('.')) << finding.id;
    EXPECT_TRUE(finding.evidence.ends_with('.')) << finding.id;
    EXPECT_TRUE(finding.notes.empty() || finding.notes.ends_with('.')) << finding.id;
  }
  for (const action_definition &action : shipped().actions())
    for (const action_step &step : action.steps) {
      EXPECT_TRUE(step.text.ends_with('.')) << action.id << ": " << step.text;
      EXPECT_FALSE(step.why.empty() || step.why.ends_with('.')) << action.id << ": " << step.why;
      EXPECT_FALSE(step.command && (step.command->empty() || step.command->find('\n') != std::string::npos))
          << action.id << ": " << step.text;
    }
}

TEST(catalogue, every_action_is_the_action_of_a_finding) {
  for (const action_definition &action : shipped().actions())
    EXPECT_TRUE(std::any_of(shipped().findings().begin(), shipped().findings().end(),
                            [&](const finding_definition &finding) { return finding.action == action.id; }))
        << action.id;
}

TEST(catalogue, every_symptom_has_causes_and_asks_for_evidence) {
  for (const finding_definition &finding : shipped().findings())
    if (finding.is_symptom) {
      EXPECT_FALSE(finding.explained_by.empty()) << finding.id;
      EXPECT_EQ(finding.action, "collect-evidence") << finding.id;
    }
}

// Else a symptom would stand between a cause and an effect that have nothing to do with each other.
TEST(catalogue, a_symptom_explains_only_symptoms) {
  for (const finding_definition &finding : shipped().findings())
    for (const std::string &cause : finding.explained_by)
      EXPECT_TRUE(finding.is_symptom || !shipped().find(cause)->is_symptom) << cause << " explains " << finding.id;
}

// Else a failure would be folded under a warning, and a node which fails would pass.
TEST(catalogue, a_cause_is_as_severe_as_its_effect) {
  for (const finding_definition &finding : shipped().findings())
    for (const std::string &cause : finding.explained_by)
      EXPECT_GE(shipped().find(cause)->severity, finding.severity) << cause << " explains " << finding.id;
}

// The state is to be mended; how the packages came to change is its history, told beside it.
TEST(catalogue, package_history_is_no_root_cause_of_a_failure) {
  for (const char *history :
       {"packages.unattended-upgrade-changed-driver", "packages.dependency-changed-driver", "packages.mixed-branches",
        "packages.mixed-sources", "packages.repo-skew", "packages.driver-not-held", "packages.blacklist-incomplete"})
    for (const finding_definition &finding : shipped().findings())
      EXPECT_FALSE(shipped().explains(history, finding.id) && !finding.id.starts_with("packages.")) << finding.id;
}

struct present_case {
  const char *name;
  std::vector<std::string> present;
  std::vector<std::string> unexplained;
};

class unexplained_test : public testing::TestWithParam<present_case> {};

TEST_P(unexplained_test, root_causes) { EXPECT_EQ(shipped().unexplained(GetParam().present), GetParam().unexplained); }

INSTANTIATE_TEST_SUITE_P(
    nodes, unexplained_test,
    testing::Values(present_case{"incident",
                                 {"userspace.cuda-no-device", "userspace.version-mismatch", "userspace.stale-process",
                                  "packages.driver-not-held", "driver.module-older-than-userspace",
                                  "packages.unattended-upgrade-changed-driver"},
                                 {"driver.module-older-than-userspace", "packages.unattended-upgrade-changed-driver",
                                  "packages.driver-not-held"}},
                    present_case{"two_module_packages",
                                 {"driver.module-older-than-userspace", "driver.module-on-disk-stale",
                                  "userspace.version-mismatch", "driver.duplicate-module-copies"},
                                 {"driver.duplicate-module-copies"}},
                    present_case{"prebuilt_module_for_another_kernel",
                                 {"driver.no-communication", "driver.module-not-loaded",
                                  "driver.no-module-for-running-kernel", "driver.prebuilt-module-lags-kernel"},
                                 {"driver.prebuilt-module-lags-kernel"}},
                    present_case{"nouveau_first",
                                 {"driver.no-devices", "driver.other-driver-bound", "driver.module-not-loaded"},
                                 {"driver.other-driver-bound"}},
                    present_case{"symptom_alone", {"userspace.version-mismatch"}, {"userspace.version-mismatch"}},
                    present_case{"symptom_with_a_far_cause",
                                 {"userspace.cuda-no-device", "driver.signature-rejected"},
                                 {"driver.signature-rejected"}},
                    present_case{"packages_do_not_make_a_gpu_disappear",
                                 {"hw.gpu-missing", "packages.half-configured"},
                                 {"packages.half-configured", "hw.gpu-missing"}},
                    present_case{"failing_memory",
                                 {"hw.recovery-action-pending", "hw.row-remap-pending", "hw.ecc-uncorrected",
                                  "hw.memory-replacement-due"},
                                 {"hw.memory-replacement-due"}},
                    present_case{"worst_first",
                                 {"capture.incomplete", "packages.driver-not-held", "hw.throttled"},
                                 {"hw.throttled", "packages.driver-not-held", "capture.incomplete"}},
                    present_case{"reported_twice", {"hw.throttled", "hw.throttled"}, {"hw.throttled"}},
                    present_case{"unknown_id", {"hw.no-such-finding"}, {}}, present_case{"healthy", {}, {}}),
    [](const auto &entry) { return entry.param.name; });

TEST(catalogue, what_stands_beside_folds_nothing_and_comes_last) {
  const std::vector<std::string> present = {"packages.half-configured", "hw.throttled", "packages.driver-not-held",
                                            "driver.module-on-disk-stale"};
  const std::vector<std::string> with_half = {"packages.half-configured", "hw.throttled", "packages.driver-not-held"};
  const std::vector<std::string> beside = {"driver.module-on-disk-stale", "hw.throttled", "packages.half-configured",
                                           "packages.driver-not-held"};
  EXPECT_EQ(shipped().unexplained(present), with_half);
  EXPECT_EQ(shipped().unexplained(present, std::vector<std::string>{"packages.half-configured"}), beside);
}

TEST(catalogue, explains_follows_chains_in_one_direction) {
  EXPECT_TRUE(shipped().explains("driver.dkms-build-failed", "driver.no-communication"));
  EXPECT_FALSE(shipped().explains("driver.no-communication", "driver.dkms-build-failed"));
  EXPECT_FALSE(shipped().explains("hw.throttled", "hw.throttled"));
  EXPECT_FALSE(shipped().explains("no.such-finding", "driver.no-communication"));
}

TEST(catalogue, xids_lead_to_their_finding) {
  ASSERT_TRUE(shipped().find_by_xid(79));
  EXPECT_EQ(shipped().find_by_xid(79)->id, "hw.fell-off-bus");
  EXPECT_FALSE(shipped().find_by_xid(9999));
}

json small_findings() {
  const auto finding = [](const char *id, json explained_by) {
    return json{{"id", id},       {"area", "hw"},    {"severity", "fail"}, {"title", "t"},
                {"meaning", "m"}, {"evidence", "e"}, {"action", "wait"},   {"explained_by", std::move(explained_by)},
                {"notes", ""}};
  };
  return json::array({finding("hw.a", json::array()), finding("hw.b", {"hw.a"}), finding("hw.c", {"hw.b"})});
}

json small_actions() {
  return json::array({{{"id", "wait"},
                       {"title", "Wait"},
                       {"reboot_helps", "no"},
                       {"steps", json::array({{{"text", "Wait."}, {"why", "it may pass"}}})}}});
}

TEST(catalogue, small_one_is_accepted) {
  const catalogue small(small_findings().dump(), small_actions().dump());
  EXPECT_TRUE(small.explains("hw.a", "hw.c"));
  EXPECT_FALSE(small.folds("hw.a", "hw.c")) << "hw.c is no symptom, and hw.b is not there";
}

struct broken_case {
  const char *name;
  std::function<void(json &findings, json &actions)> break_it;
  const char *reason;
};

class broken_catalogue_test : public testing::TestWithParam<broken_case> {};

TEST_P(broken_catalogue_test, is_refused_with_the_reason) {
  json findings = small_findings();
  json actions = small_actions();
  GetParam().break_it(findings, actions);
  try {
    const catalogue broken(findings.dump(), actions.dump());
    FAIL() << "accepted";
  } catch (const catalogue_error &error) {
    EXPECT_STREQ(error.what(), GetParam().reason);
  }
}

INSTANTIATE_TEST_SUITE_P(
    faults, broken_catalogue_test,
    testing::Values(
        broken_case{"unknown_key", [](json &f, json &) { f[1]["explaned_by"] = json::array(); },
                    "finding hw.b has an unknown key \"explaned_by\""},
        broken_case{"missing_key", [](json &f, json &) { f[1].erase("meaning"); }, "finding hw.b has no \"meaning\""},
        broken_case{"missing_id", [](json &f, json &) { f[1].erase("id"); }, "finding number 2 has no \"id\""},
        broken_case{"wrong_type", [](json &f, json &) { f[1]["explained_by"] = "hw.a"; },
                    "finding hw.b: \"explained_by\" is not a list of ids"},
        broken_case{"unknown_severity", [](json &f, json &) { f[1]["severity"] = "error"; },
                    "finding hw.b: \"severity\" cannot be \"error\""},
        broken_case{"unknown_action", [](json &f, json &) { f[1]["action"] = "pray"; },
                    "finding hw.b: there is no action pray"},
        broken_case{"unknown_cause", [](json &f, json &) { f[1]["explained_by"] = {"hw.z"}; },
                    "finding hw.b: explained_by names hw.z, which is no finding"},
        broken_case{"duplicate_finding", [](json &f, json &) { f[1]["id"] = "hw.a"; }, "finding hw.a is there twice"},
        broken_case{"duplicate_action", [](json &, json &a) { a.push_back(a[0]); }, "action wait is there twice"},
        broken_case{"duplicate_xid",
                    [](json &f, json &) {
                      f[0]["xids"] = {79};
                      f[2]["xids"] = {79};
                    },
                    "finding hw.c: Xid 79 belongs to hw.a already"},
        broken_case{"cycle", [](json &f, json &) { f[0]["explained_by"] = {"hw.c"}; },
                    "findings explain each other in a circle: hw.a <- hw.c <- hw.b <- hw.a"},
        broken_case{"explains_itself", [](json &f, json &) { f[0]["explained_by"] = {"hw.a"}; },
                    "findings explain each other in a circle: hw.a <- hw.a"},
        broken_case{"id_of_another_area", [](json &f, json &) { f[0]["area"] = "driver"; },
                    "finding hw.a: the id is not driver.subject-property"},
        broken_case{"id_in_capitals", [](json &f, json &) { f[0]["id"] = "hw.A"; },
                    "finding hw.A: the id is not hw.subject-property"},
        broken_case{"unknown_key_in_step", [](json &, json &a) { a[0]["steps"][0]["cmd"] = "ls"; },
                    "action wait step 1 has an unknown key \"cmd\""},
        broken_case{"no_steps", [](json &, json &a) { a[0]["steps"] = json::array(); },
                    "action wait: \"steps\" is not a list of steps"},
        broken_case{"unknown_reboot_answer", [](json &, json &a) { a[0]["reboot_helps"] = "maybe"; },
                    "action wait: \"reboot_helps\" cannot be \"maybe\""},
        broken_case{"empty", [](json &f, json &) { f = json::array(); }, "findings: not a list of entries"}),
    [](const auto &entry) { return entry.param.name; });

TEST(catalogue, text_that_is_no_json_is_refused_in_one_line) {
  try {
    const catalogue broken("[{\"id\": \"hw.a\"", small_actions().dump());
    FAIL() << "accepted";
  } catch (const catalogue_error &error) {
    EXPECT_EQ(std::string(error.what()).find("findings: not JSON near byte "), 0U) << error.what();
  }
}

TEST(catalogue, takes_cbor_for_json) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(small_findings());
  const std::string cbor(bytes.begin(), bytes.end());
  EXPECT_EQ(catalogue(cbor, small_actions().dump()).findings().size(), small_findings().size());
  try {
    const catalogue broken(cbor.substr(0, cbor.size() / 2), small_actions().dump());
    FAIL() << "accepted";
  } catch (const catalogue_error &error) {
    EXPECT_EQ(std::string(error.what()).find("findings: not CBOR near byte "), 0U) << error.what();
  }
}

} // namespace
} // namespace gpucert
