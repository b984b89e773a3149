// SPDX-License-Identifier: Apache-2.0
// The command line: pages and programs agree, and what is wrong is said in one line.
#include "certify/command_line.h"
#include "certify/version.h"
#include "tests/certify/running.h"

#include <set>
#include <sstream>
#include <stdexcept>

namespace gpucert {
namespace {

std::string page_of(const std::string &name) { return read_text(GPUCERT_SOURCE_DIR "/docs/manual/" + name + ".txt"); }

std::vector<std::string> verbs_with_a_page() {
  std::vector<std::string> verbs;
  for (const auto &entry : std::filesystem::directory_iterator(GPUCERT_SOURCE_DIR "/docs/manual"))
    if (entry.path().stem() != "gpucert")
      verbs.push_back(entry.path().stem());
  std::sort(verbs.begin(), verbs.end());
  return verbs;
}

struct listed_option {
  std::string name;
  bool takes_value;
};

/// The options that a page lists: lines that begin "  --name VALUE  " or "  --name  ".
std::vector<listed_option> options_of_page(const std::string &page) {
  std::vector<listed_option> options;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  --"))
      continue;
    const auto end = std::min(line.find(' ', 2), line.size());
    options.push_back({line.substr(2, end - 2), end + 1 < line.size() && line[end + 1] != ' '});
  }
  return options;
}

class manual : public testing::TestWithParam<std::string> {};

TEST_P(manual, page_is_the_help) {
  for (const char *word : {"--help", "-h"}) {
    const command_result ran = run_gpucert({GetParam(), word});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.output, page_of(GetParam()));
    EXPECT_EQ(ran.errors, "");
  }
  EXPECT_EQ(run_gpucert({"help", GetParam()}).output, page_of(GetParam()));
}

TEST_P(manual, help_wins_over_a_wrong_line) {
  EXPECT_EQ(run_gpucert({GetParam(), "--no-such-option", "--help"}).output, page_of(GetParam()));
}

// The other way round the program sees to itself: see below. The lines are wrong on purpose: nothing is to run here.
TEST_P(manual, options_of_the_page_are_taken) {
  for (const listed_option &option : options_of_page(page_of(GetParam()))) {
    std::vector<std::string> words = {GetParam(), option.name};
    if (!option.takes_value)
      words.emplace_back("--no-such-option");
    if (GetParam() == "collect") // would miss its folder first
      words.insert(words.begin() + 1, "folder");
    const command_result ran = run_gpucert(words);
    EXPECT_EQ(ran.exit_code, 64) << option.name;
    const std::string said = option.takes_value ? option.name + ": 1 required" : "not expected: --no-such-option;";
    EXPECT_NE(ran.errors.find(said), std::string::npos) << option.name << ": " << ran.errors;
  }
}

INSTANTIATE_TEST_SUITE_P(verbs, manual, testing::ValuesIn(verbs_with_a_page()),
                         [](const auto &verb) { return verb.param; });

TEST(manual_pages, program_names_its_verbs) {
  const command_result ran = run_gpucert({"--help"});
  EXPECT_EQ(ran.output, page_of("gpucert"));
  for (const std::string &verb : verbs_with_a_page())
    EXPECT_NE(ran.output.find("\n  " + verb + " "), std::string::npos) << verb;
}

TEST(manual_pages, option_without_a_place_in_its_page_is_a_mistake_of_the_program) {
  command_line line("list");
  bool is_set = false;
  line.options().add_flag("--undocumented", is_set);
  EXPECT_THROW(line.parse({}), std::logic_error);
}

TEST(program, states_its_version) {
  EXPECT_EQ(run_gpucert({"--version"}).output, "gpucert " + std::string(suite_version) + "\n");
}

struct wrong_line {
  const char *name;
  std::vector<std::string> words;
  const char *said; // in the message
};

class wrong_lines : public testing::TestWithParam<wrong_line> {};

TEST_P(wrong_lines, are_refused_in_one_line) {
  const command_result ran = run_gpucert(GetParam().words);
  EXPECT_EQ(ran.end, command_end::exited) << ran.how_it_ended();
  EXPECT_EQ(ran.exit_code, 64);
  EXPECT_EQ(ran.output, "");
  EXPECT_TRUE(is_one_line(ran.errors)) << ran.errors;
  EXPECT_FALSE(has_control_characters(ran.errors)) << ran.errors;
  EXPECT_NE(ran.errors.find(GetParam().said), std::string::npos) << ran.errors;
}

const std::string healthy = nodes_folder + "incident_repaired";
const std::string a_file = GPUCERT_SOURCE_DIR "/LICENSE";

INSTANTIATE_TEST_SUITE_P(
    lines, wrong_lines,
    testing::Values(
        wrong_line{"no_verb", {}, "no verb"}, wrong_line{"empty_verb", {""}, "no verb ''"},
        wrong_line{"unknown_verb", {"chekc"}, "no verb 'chekc'"},
        wrong_line{"unknown_topic_of_help", {"help", "chekc"}, "no verb 'chekc'"},
        wrong_line{"escape_sequence_and_line_end_in_the_verb", {"a\x1b[2J\nb"}, "a\\x1b[2J\\x0ab"},
        wrong_line{"no_utf8_in_an_option", {"check", "--\xff\x9b"}, "\\xff"},
        wrong_line{"unknown_option", {"check", "--rot", "x"}, "--rot"},
        wrong_line{"abbreviated_option", {"check", "--ro", healthy}, "--ro"},
        wrong_line{"word_too_much", {"check", "extra"}, "extra"},
        wrong_line{"missing_value", {"check", "--root"}, "--root"},
        wrong_line{"root_and_tree", {"check", "--root", healthy, "--tree", healthy}, "--tree"},
        wrong_line{"root_twice", {"check", "--root", healthy, "--root", healthy}, "--root"},
        wrong_line{"root_empty_as_from_an_unset_variable", {"check", "--root", ""}, "--root: is empty"},
        wrong_line{"tree_empty", {"check", "--tree", ""}, "--tree: is empty"},
        wrong_line{"output_empty", {"check", "--root", healthy, "--output", ""}, "--output: is empty"},
        wrong_line{"deadline_zero", {"check", "--deadline", "0"}, "0.1"},
        wrong_line{"deadline_negative", {"check", "--deadline", "-1"}, "0.1"},
        wrong_line{"deadline_too_long", {"check", "--deadline", "1e9"}, "3600"},
        wrong_line{"deadline_infinite", {"check", "--deadline", "inf"}, "3600"},
        wrong_line{"deadline_no_number", {"check", "--deadline", "nan"}, "nan"},
        wrong_line{"deadline_with_unit", {"check", "--deadline", "10s"}, "10s"},
        wrong_line{"unknown_format", {"check", "--root", healthy, "--format", "yaml"}, "yaml"},
        wrong_line{"format_empty", {"check", "--root", healthy, "--format", ""}, "--format"},
        wrong_line{"gpus_negative", {"check", "--expect-gpus", "-1"}, "-1"},
        wrong_line{"gpus_no_number", {"check", "--expect-gpus", "two"}, "two"},
        wrong_line{"gpus_beyond_all_numbers", {"check", "--expect-gpus", "99999999999999999999"}, "--expect-gpus"},
        wrong_line{"folder_missing", {"check", "--root", "/no/such/folder"}, "/no/such/folder: no such folder"},
        wrong_line{"folder_name_with_a_line_end", {"check", "--root", "/no/such\nfolder"}, "/no/such\\x0afolder"},
        wrong_line{"folder_is_a_file", {"check", "--root", a_file}, "is not a folder"},
        wrong_line{"tree_is_a_file", {"check", "--tree", a_file}, "is not a folder"},
        wrong_line{"folder_below_a_file", {"check", "--tree", a_file + "/x"}, "no such folder"},
        wrong_line{"folder_is_no_capture", {"check", "--root", GPUCERT_SOURCE_DIR "/docs"}, "not a capture"},
        wrong_line{"output_is_a_folder", {"check", "--root", healthy, "--output", "/tmp"}, "is a folder"},
        wrong_line{"output_in_no_folder", {"check", "--root", healthy, "--output", "/no/such/r"}, "no such folder"},
        wrong_line{"output_below_a_file", {"check", "--root", healthy, "--output", a_file + "/r"}, "not a folder"},
        wrong_line{"report_without_file", {"report"}, "file"}, wrong_line{"report_empty", {"report", ""}, "is empty"},
        wrong_line{"report_missing", {"report", "/no/such/report"}, "/no/such/report: no such file"},
        wrong_line{"report_below_a_file", {"report", a_file + "/r"}, "no such file"},
        wrong_line{"report_format", {"report", "--format", "html", "x"}, "html"},
        wrong_line{"collect_without_folder", {"collect"}, "folder"},
        wrong_line{"collect_empty", {"collect", ""}, "is empty"},
        wrong_line{"list_without_subject", {"list"}, "subject"},
        wrong_line{"list_unknown_subject", {"list", "tests"}, "tests"},
        wrong_line{"list_checks_as_markdown", {"list", "checks", "--format", "markdown"}, "markdown"}),
    [](const auto &line) { return line.param.name; });

// A caller that reads neither must still get the exit code.
TEST(program, needs_no_standard_error) {
  for (const char *error : {"/dev/full", "/dev/null"}) {
    const command_result ran = run_script("\"$1\" chekc 2>\"$2\"", {program, error});
    EXPECT_EQ(ran.exit_code, 64) << error;
  }
  EXPECT_EQ(run_script("exec \"$1\" chekc 2>&-", {program}).exit_code, 64);
}

} // namespace
} // namespace gpucert
