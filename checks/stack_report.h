// SPDX-License-Identifier: Apache-2.0
// The verdict on a node's driver stack, as plain data: text and JSON are two views of it.
#pragma once

#include "checks/catalogue.h"
#include "checks/check.h"
#include "checks/hypothesis.h"
#include "checks/next_boot.h"
#include "checks/timeline.h"
#include "checks/way_back.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// A finding with what the catalogue says of it.
struct reported_finding {
  std::string id;
  severity level = severity::info;
  std::string title;
  std::string saw;
  std::string expected;
  std::vector<std::string> notes;
  std::vector<evidence_item> evidence;
  std::optional<std::string> inferred_because;
  std::string action;
  bool is_explained = false; // a consequence of another finding: it needs no action of its own
};

struct diagnosis {
  std::optional<std::string> root_cause; // id of the finding that no other present finding explains
  std::string action = "none";
  std::string action_title;
  std::vector<action_step> steps;
  gpucert::next_boot next_boot;       // whether a reboot now would help
  std::vector<std::string> explained; // ids of the findings that are consequences
  std::vector<timeline_entry> timeline;
  std::optional<fault_history> history; // of a fault in which versions part
  std::vector<judged_hypothesis> hypotheses;
  std::optional<gpucert::way_back> way_back; // where the driver from before may be the answer
};

struct unknown_in_check {
  std::string check;
  unknown_fact fact;
};

enum class stack_status { pass, warn, fail, unknown };
std::string_view to_string(stack_status status);
std::optional<stack_status> parse_stack_status(std::string_view word);

/// The versions that the node states, one field for each origin; absent where it states none.
struct stated_versions {
  std::optional<std::string> kernel_release;
  std::optional<std::string> distribution;
  std::optional<std::string> kernel_module_version;
  std::optional<std::string> on_disk_module_version;
  std::optional<std::string> libcuda_version;
  std::optional<std::string> nvml_version;
  std::optional<std::string> package_version; // newest driver release among installed user-space packages
};

struct stack_report {
  stack_status status = stack_status::unknown;
  std::string summary;         // one line for a person
  bool is_no_gpu_node = false; // neither GPU nor driver
  stated_versions versions;
  std::vector<reported_finding> findings; // the root cause first, then by severity
  gpucert::diagnosis diagnosis;
  std::vector<unknown_in_check> unknown;
  std::vector<std::string> checks; // names of the checks that ran
};

/// Judges the evidence with every check and draws the conclusion, also over `more`: what tests on the GPUs found, so
/// that causes and consequences meet. Pure: the same evidence gives the same report.
stack_report judge_stack(const node_evidence &node, const expectations &expected, const catalogue &known,
                         std::span<const finding> more = {});

} // namespace gpucert
