// SPDX-License-Identifier: Apache-2.0
#include "certify/monitoring_view.h"
#include "tests/certify/running.h"

namespace gpucert {
namespace {

report report_of(stack_status status, std::string_view summary = "the driver stack is coherent") {
  report run;
  run.created = "2026-05-21T06:52:45Z";
  run.stack.status = status;
  run.stack.summary = summary;
  return run;
}

reported_finding finding_of(std::string id, severity level, std::string saw) {
  reported_finding found;
  found.id = std::move(id);
  found.level = level;
  found.title = "A title";
  found.saw = std::move(saw);
  found.action = "reboot-node";
  return found;
}

report fault() {
  report run = report_of(stack_status::fail, "A title");
  run.stack.findings = {finding_of("driver.module-older-than-userspace", severity::fail, "1 | 2\nsecond \"line\"")};
  run.stack.diagnosis.root_cause = "driver.module-older-than-userspace";
  run.stack.diagnosis.action = "reboot-node";
  return run;
}

std::size_t count(std::string_view text, char letter) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), letter));
}

TEST(nagios_view, states_and_codes) {
  EXPECT_EQ(nagios_view(report_of(stack_status::pass)),
            "GPUCERT OK - the driver stack is coherent | fail=0;;0;0 warn=0;0;;0 unknown=0;;;0\n");
  report warned = report_of(stack_status::warn);
  EXPECT_EQ(static_cast<int>(nagios_code(report_of(stack_status::pass))), 0);
  EXPECT_EQ(static_cast<int>(nagios_code(warned)), 1);
  warned.is_strict = true;
  EXPECT_EQ(static_cast<int>(nagios_code(warned)), 2);
  EXPECT_EQ(static_cast<int>(nagios_code(fault())), 2);
  EXPECT_EQ(static_cast<int>(nagios_code(report_of(stack_status::unknown))), 3);
}

TEST(nagios_view, text_of_the_node_adds_neither_lines_nor_data) {
  const std::string view = nagios_view(fault());
  EXPECT_EQ(count(view, '\n'), 2U) << view;
  EXPECT_EQ(count(view, '|'), 1U) << view;
  EXPECT_TRUE(view.starts_with(
      "GPUCERT CRITICAL - A title (driver.module-older-than-userspace, action reboot-node) | fail=1;;0;0"))
      << view;
}

TEST(npd_view, one_short_line) {
  EXPECT_EQ(npd_view(fault()), "driver.module-older-than-userspace: reboot-node\n");
  EXPECT_EQ(npd_view(report_of(stack_status::unknown, std::string(300, 'x'))).size(), 81U);
  EXPECT_EQ(static_cast<int>(npd_code(report_of(stack_status::pass))), 0);
  EXPECT_EQ(static_cast<int>(npd_code(report_of(stack_status::warn))), 0);
  EXPECT_EQ(static_cast<int>(npd_code(fault())), 1);
  EXPECT_EQ(static_cast<int>(npd_code(report_of(stack_status::unknown))), 2);
}

TEST(prometheus_view, samples) {
  const std::string view = prometheus_view(fault());
  EXPECT_NE(view.find("\ngpucert_check_status 2\n"), view.npos) << view;
  EXPECT_NE(view.find("\ngpucert_check_timestamp_seconds 1779346365\n"), view.npos) << view;
  EXPECT_NE(view.find("\ngpucert_findings{id=\"driver.module-older-than-userspace\",severity=\"fail\",explained="
                      "\"false\"} 1\n"),
            view.npos)
      << view;
}

TEST(prometheus_view, labels_are_escaped) {
  report run = fault();
  run.stack.versions.kernel_release = "a\"b\\c\nd";
  EXPECT_NE(prometheus_view(run).find(R"(kernel="a\"b\\c\\x0ad")"), std::string::npos) << prometheus_view(run);
}

TEST(capture_monitoring, formats_of_a_faulty_and_a_repaired_node) {
  const std::string bad = nodes_folder + "incident_fault", good = nodes_folder + "incident_repaired";
  EXPECT_EQ(run_gpucert({"check", "--root", bad, "--format", "nagios"}).exit_code, 2);
  EXPECT_EQ(run_gpucert({"check", "--root", bad, "--format", "npd"}).exit_code, 1);
  EXPECT_EQ(run_gpucert({"check", "--root", good, "--format", "nagios"}).exit_code, 0);
  EXPECT_EQ(run_gpucert({"check", "--root", good, "--format", "npd"}).exit_code, 0);
}

TEST(capture_monitoring, writes_the_textfile_beside_another_format) {
  const test_folder folder;
  const std::filesystem::path file = folder / "gpucert.prom";
  const command_result ran =
      run_gpucert({"check", "--root", nodes_folder + "incident_fault", "--textfile", file.string()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(read_text(file).find("\ngpucert_check_status 2\n"), std::string::npos);
  EXPECT_TRUE(ran.output.starts_with("FAIL:")) << ran.output;
}

} // namespace
} // namespace gpucert
