// SPDX-License-Identifier: Apache-2.0
// What a node calls text is shown, never obeyed: escape sequences, NUL, HTML, marks of direction, broken UTF-8.
#include "certify/terminal_text.h"
#include "tests/certify/running.h"

namespace gpucert {
namespace {

namespace fs = std::filesystem;

using namespace std::string_literals;

const std::string hostile = "\x1b[2J\x1b]0;title\a\x9b"s + "31m\xc2\x9b" + "31m\0<script>alert(1)</script>&\u202e\r"s +
                            "\xff\xfe\xe2\x80\xed\xa0\x80\xf5";

struct shown {
  const char *name;
  std::string text, line;
};

class terminal_text : public testing::TestWithParam<shown> {};

TEST_P(terminal_text, is_escaped) { EXPECT_EQ(escape_for_terminal(GetParam().text), GetParam().line); }

INSTANTIATE_TEST_SUITE_P(
    texts, terminal_text,
    testing::Values(shown{"plain", "driver 550.54.15 <b>&</b>", "driver 550.54.15 <b>&</b>"}, shown{"empty", "", ""},
                    shown{"utf8", "Gerät \u4e2d\u6587 \U0001f600", "Gerät \u4e2d\u6587 \U0001f600"},
                    shown{"tab", "a\tb", "a b"}, shown{"line_ends", "a\r\nb", "a\\x0d\\x0ab"},
                    shown{"nul", "a\0b"s, "a\\x00b"}, shown{"escape_sequence", "\x1b[31m", "\\x1b[31m"},
                    shown{"delete", "\x7f", "\\x7f"}, shown{"c1_control", "\xc2\x9b", "\\x9b"},
                    shown{"no_break_space_is_no_control", "\xc2\xa0", "\xc2\xa0"},
                    shown{"direction", "\u202ecod.exe", "\\u202ecod.exe"}, shown{"line_separator", "\u2028", "\\u2028"},
                    shown{"stray_byte", "a\xffz", "a\\xffz"}, shown{"continuation_alone", "\x80", "\\x80"},
                    shown{"cut_character", "\xe2\x82", "\\xe2\\x82"}, shown{"overlong_slash", "\xc0\xaf", "\\xc0\\xaf"},
                    shown{"overlong_in_three", "\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
                    shown{"overlong_in_four", "\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf"},
                    shown{"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
                    shown{"beyond_unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                    shown{"last_of_unicode", "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"}),
    [](const auto &text) { return text.param.name; });

bool is_utf8(const std::string &text) {
  try {
    const std::string written = json(text).dump(); // refuses what is not
    return !written.empty();
  } catch (const json::exception &) {
    return false;
  }
}

/// The incident with hostile text wherever a node may put text that is shown.
fs::path make_hostile_node(const test_folder &folder) {
  const fs::path node = copy_node("incident_fault", folder);
  const fs::path root = node / "root";
  write_text(root / "proc/sys/kernel/osrelease", "5.15.0-105" + hostile + "\n");
  write_text(root / "etc/os-release",
             "ID=ubuntu\nPRETTY_NAME=\"Ubuntu " + hostile + "\"\nVERSION_ID=\"" + hostile + "\"\n");
  write_text(root / "var/log/apt/history.log",
             "Start-Date: 2024-06-12  06:41:03" + hostile + "\nCommandline: /usr/bin/unattended-upgrade " + hostile +
                 "\nUpgrade: libnvidia-compute-535-server:amd64 (535.161.07-0ubuntu0.22.04.1" + hostile +
                 ", 550.54.15-0ubuntu0.22.04.1)\nEnd-Date: 2024-06-12  06:41:40\n");
  write_text(node / "commands/nvidia_smi.txt", "Failed to initialize NVML: Driver/library version mismatch " + hostile);
  write_text(node / "commands/modinfo_nvidia.txt", "filename: /lib/" + hostile + "\nversion: 550.54.15\n");
  write_text(node / "commands/readlink.txt", "/lib/libcuda.so.1 -> /lib/" + hostile + "/libcuda.so.550.54.15\n");
  write_text(root / "dev.list", "/dev/nvidia" + hostile + "\n/dev/nvidiactl\n");
  write_text(root / "sys/bus/pci/devices/0000:3b:00.0/driver.txt", hostile + "\n");
  write_text(node / "commands/dmesg.txt",
             "[1837912.0] NVRM: API mismatch: the client has the version 550.54.15, but\nNVRM: this kernel module has "
             "the version 535.161.07. " +
                 hostile + "\n");
  write_text(node / ("symptoms/"
                     "odd\x1b[2J.txt"s),
             "Driver/library version mismatch " + hostile);
  return node;
}

TEST(hostile_node, does_nothing_to_a_terminal) {
  const test_folder folder;
  const command_result ran = run_gpucert({"check", "--root", make_hostile_node(folder)});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_FALSE(has_control_characters(ran.output))
      << json(ran.output).dump(1, ' ', true, json::error_handler_t::replace);
  EXPECT_TRUE(is_utf8(ran.output));
  EXPECT_EQ(ran.output.find("\xc2\x9b"), std::string::npos);
  EXPECT_NE(ran.output.find("\\x1b[2J"), std::string::npos) << "the text is gone instead of shown";
}

TEST(hostile_node, gives_valid_json) {
  const test_folder folder;
  const command_result ran = run_gpucert({"check", "--root", make_hostile_node(folder), "--format", "json"});
  EXPECT_TRUE(is_utf8(ran.output));
  EXPECT_FALSE(has_control_characters(ran.output));
  EXPECT_EQ(stack_of(ran).at("status"), "fail");
}

TEST(hostile_node, can_be_collected_and_judged_again) {
  const test_folder folder;
  const fs::path node = make_hostile_node(folder);
  const command_result collected = run_gpucert({"collect", "--root", node, folder / "copy"});
  EXPECT_EQ(collected.exit_code, 0) << collected.errors;
  EXPECT_EQ(run_gpucert({"check", "--root", folder / "copy"}).exit_code, 2);
}

// The folder of a capture and a stored report are no more to be trusted than a node.
TEST(hostile_node, name_and_stored_report_are_escaped_too) {
  const test_folder folder;
  const fs::path node = folder / "a\x1b[2J\nb";
  fs::copy(nodes_folder + "incident_fault", node, fs::copy_options::recursive);
  const command_result ran = run_gpucert({"check", "--root", node, "--output", folder / "report.json"});
  EXPECT_FALSE(has_control_characters(ran.output));

  json report = json::parse(read_text(folder / "report.json"));
  report["created"] = report["suite_version"] = report["stack"]["summary"] = hostile;
  json &diagnosis = report["stack"]["diagnosis"];
  diagnosis["action"] = diagnosis["action_title"] = diagnosis["steps"][0]["command"] = hostile;
  json &found = report["stack"]["findings"][0];
  found["id"] = found["title"] = found["saw"] = found["action"] = found["evidence"][0]["source"] = hostile;
  write_text(folder / "report.json", report.dump(-1, ' ', true, json::error_handler_t::replace));
  const command_result shown_again = run_gpucert({"report", folder / "report.json"});
  EXPECT_EQ(shown_again.exit_code, 2) << shown_again.errors;
  EXPECT_FALSE(has_control_characters(shown_again.output)) << shown_again.output;
}

} // namespace
} // namespace gpucert
