// SPDX-License-Identifier: Apache-2.0
#include "certify/report.h"
#include "certify/text_view.h"
#include "node/scratch_folder.h"
#include "node/wrong_input.h"
#include "tests/fuzz/fuzz_target.h"

#include <filesystem>
#include <fstream>

namespace gpucert {
namespace {

std::string_view sample() {
  static const std::string text = [] {
    stack_report stack;
    stack.status = stack_status::fail;
    stack.findings.push_back({"driver.library-module-mismatch",
                              severity::fail,
                              "title",
                              "saw",
                              "expected",
                              {"a note"},
                              {{"/proc/driver/nvidia/version", "the line"}},
                              "a reason",
                              "reboot",
                              false});
    stack.diagnosis.root_cause = stack.findings.front().id;
    stack.diagnosis.steps.push_back({});
    stack.diagnosis.timeline.push_back({});
    stack.diagnosis.history.emplace();
    stack.diagnosis.hypotheses.push_back({});
    stack.unknown.push_back({"dkms", {}});
    return report_to_json(make_report("capture", false, std::move(stack)));
  }();
  return text;
}

void fuzz_report_json(std::string_view input) {
  static const scratch_folder folder("gpucert-fuzz-report"); // until the program ends
  const std::filesystem::path file = folder.path() / "report.json";
  std::ofstream(file, std::ios::binary) << input;
  try {
    const report run = read_report(file);
    report_to_json(run);
    text_view(run);
  } catch (const unreadable_input &) { // the one word for what is no report
  }
}

const fuzz_registration registration{{"report_json", {}, fuzz_report_json, {sample()}}};

} // namespace
} // namespace gpucert
