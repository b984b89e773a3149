// SPDX-License-Identifier: Apache-2.0
// Reports on disk: written in full or not at all, read back unchanged, and refused when they are no reports.
#include "certify/report.h"
#include "tests/certify/running.h"

#include <fmt/format.h>

#include <tuple>

namespace gpucert {
namespace {

namespace fs = std::filesystem;

const std::string fault = nodes_folder + "incident_fault";

class capture_reports : public testing::TestWithParam<std::string> {};

TEST_P(capture_reports, are_read_back_as_they_were_written) {
  const test_folder folder;
  const std::string file = folder / "report.json";
  const command_result checked = run_gpucert({"check", "--root", nodes_folder + GetParam(), "--output", file});
  const command_result as_text = run_gpucert({"report", file});
  const command_result as_json = run_gpucert({"report", file, "--format", "json"});
  EXPECT_EQ(as_text.output, checked.output);
  EXPECT_EQ(as_json.output, read_text(file));
  EXPECT_EQ(as_text.exit_code, checked.exit_code);
  EXPECT_EQ(as_json.exit_code, checked.exit_code);
}

INSTANTIATE_TEST_SUITE_P(some, capture_reports,
                         testing::Values("incident_fault", "incident_repaired",
                                         "userspace_newer_than_loaded_module_002", "dpkg_half_configured_008"),
                         [](const auto &node) { return node.param; });

TEST(report_file, holds_what_check_prints_as_json) {
  const test_folder folder;
  const std::string file = folder / "report.json";
  const command_result ran = run_gpucert({"check", "--root", fault, "--strict", "--output", file, "--format", "json"});
  const json stored = json::parse(read_text(file));
  EXPECT_EQ(stored.at("stack"), stack_of(ran));
  EXPECT_EQ(stored.at("schema"), report_schema);
  EXPECT_EQ(stored.at("subject"), "capture " + fault);
  EXPECT_EQ(stored.at("is_strict"), true);
}

TEST(report_file, replaces_an_older_one_and_nothing_stays_beside_it) {
  const test_folder folder;
  write_text(folder / "report.json", "an older report");
  run_gpucert({"check", "--root", fault, "--output", folder / "report.json"});
  EXPECT_EQ(json::parse(read_text(folder / "report.json")).at("exit_code"), 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(report_file, is_readable_as_the_umask_says) {
  const test_folder folder;
  run_script("umask 027; exec \"$1\" check --root \"$2\" --output \"$3\"", {program, fault, folder / "report.json"});
  EXPECT_EQ(fs::status(folder / "report.json").permissions(), fs::perms(0640));
}

TEST(report_file, link_stays_a_link) {
  const test_folder folder;
  fs::create_directory(folder / "kept");
  fs::create_symlink("kept/report.json", folder / "link");
  EXPECT_EQ(run_gpucert({"check", "--root", fault, "--output", folder / "link"}).exit_code, 2);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(json::parse(read_text(folder / "kept/report.json")).at("exit_code"), 2);
}

// Taken for the name of a plain file, /dev/stdout itself would be replaced.
TEST(report_file, standard_output_by_name_is_no_file_to_replace) {
  const test_folder folder;
  fs::create_symlink("/proc/self/fd/1", folder / "stdout");
  const command_result ran = run_script("\"$1\" check --root \"$2\" --output \"$3\" >\"$4\"",
                                        {program, fault, folder / "stdout", folder / "out"});
  EXPECT_EQ(ran.exit_code, 2) << ran.errors;
  EXPECT_TRUE(fs::is_symlink(folder / "stdout"));
  const std::string out = read_text(folder / "out");
  EXPECT_TRUE(out.starts_with("{\n \"schema\"")) << out;
  EXPECT_NE(out.find("FAIL: "), std::string::npos) << "the verdict must follow the report";
}

// A closed standard output must not lend its number to the report.
TEST(report_file, is_whole_when_standard_output_is_closed) {
  const test_folder folder;
  const command_result ran =
      run_script("exec \"$1\" check --root \"$2\" --output \"$3\" >&- <&-", {program, fault, folder / "report.json"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
  EXPECT_EQ(json::parse(read_text(folder / "report.json")).at("exit_code"), 2);
}

struct wrong_report {
  const char *name;
  std::string text;
  const char *said;
};

class wrong_reports : public testing::TestWithParam<wrong_report> {};

TEST_P(wrong_reports, are_refused_in_one_short_line) {
  const test_folder folder;
  write_text(folder / "report.json", GetParam().text);
  const command_result ran = run_gpucert({"report", folder / "report.json"});
  EXPECT_EQ(ran.end, command_end::exited) << ran.how_it_ended();
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(ran.output, "");
  EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
  EXPECT_LT(ran.errors.size(), 500U);
  EXPECT_FALSE(has_control_characters(ran.errors)) << ran.errors;
  EXPECT_NE(ran.errors.find(folder / "report.json"), std::string::npos) << ran.errors;
  EXPECT_NE(ran.errors.find(GetParam().said), std::string::npos) << ran.errors;
}

std::string repeated(const char *text, std::size_t times) {
  std::string result;
  while (times-- > 0)
    result += text;
  return result;
}

INSTANTIATE_TEST_SUITE_P(
    files, wrong_reports,
    testing::Values(
        wrong_report{"empty", "", "is not JSON"}, wrong_report{"cut_off", "{\"schema\": \"gpucert-rep", "is not JSON"},
        wrong_report{"a_text_without_end", fmt::format("\"{}", std::string(3000000, 'a')), "is not JSON"},
        wrong_report{"nesting_without_end", repeated("[", 1000000), "is not JSON"},
        wrong_report{"nesting_of_a_million", repeated("[", 1000000) + repeated("]", 1000000), "no gpucert report"},
        wrong_report{"nesting_of_objects", repeated("{\"a\":", 300000) + "1" + repeated("}", 300000),
                     "no gpucert report"},
        wrong_report{"binary",
                     std::string("\x7f"
                                 "ELF\0\0\x1b[2J\xff",
                                 11),
                     "is not JSON"},
        wrong_report{"number_too_large", fmt::format("{{\"schema\": 1{}e999999}}", std::string(1000, '0')),
                     "no gpucert report"},
        wrong_report{"array", "[]", "no gpucert report"}, wrong_report{"null", "null", "no gpucert report"},
        wrong_report{"stack_alone", "{\"status\": \"pass\", \"exit_code\": 0}", "schema"},
        wrong_report{"another_format", R"({"schema": "gpucert-report-2"})", "'gpucert-report-2'"},
        wrong_report{"format_with_escape_sequence", R"({"schema": "gpucert-report-1\u001b[2J\n\u0000"})", "\\x1b[2J"},
        wrong_report{"format_of_great_length", fmt::format(R"({{"schema": "{}"}})", std::string(100000, 'x')),
                     "format"}),
    [](const auto &file) { return file.param.name; });

TEST(report_file, with_a_wrong_field_is_refused_by_its_name) {
  const test_folder folder;
  run_gpucert({"check", "--root", fault, "--output", folder / "good.json"});
  const json good = json::parse(read_text(folder / "good.json"));
  const json without_release = json::parse(R"({"distribution": null})");
  const std::vector<std::tuple<const char *, json, const char *>> mistakes = {
      {"/stack/status", "fine", "status 'fine'"},
      {"/stack/findings/0/severity", "worse", "severity 'worse'"},
      {"/created", 7, "must be string"},
      {"/stack/findings", "none", "no gpucert report"},
      {"/stack/versions", without_release, "'kernel_release' not found"}};
  for (const auto &[field, value, said] : mistakes) {
    json wrong = good;
    wrong[json::json_pointer(field)] = value;
    write_text(folder / "wrong.json", wrong.dump());
    const command_result ran = run_gpucert({"report", folder / "wrong.json"});
    EXPECT_EQ(ran.exit_code, 3) << field;
    EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
    EXPECT_NE(ran.errors.find(said), std::string::npos) << ran.errors;
  }
}

TEST(report_file, folder_is_no_report) {
  const command_result ran = run_gpucert({"report", GPUCERT_SOURCE_DIR});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
}

TEST(report_file, endless_device_is_no_report) {
  const command_result ran = run_gpucert({"report", "/dev/zero"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.errors.find("has more than"), std::string::npos) << ran.errors;
}

} // namespace
} // namespace gpucert
