// SPDX-License-Identifier: Apache-2.0
// Pasted text as people paste it: what it is of, with whatever stands around it.
#include "tests/certify/running.h"

namespace gpucert {
namespace {

/// What explain says of a text on standard input.
struct explained {
  int exit_code;
  std::string root; // empty where nothing was recognised
  std::string action;
  json document;
};

explained explain(const std::string &text) {
  const test_folder folder;
  write_text(folder / "paste.txt", text);
  const command_result ran =
      run_script(R"("$1" explain --format json < "$2")", {program, (folder / "paste.txt").string()});
  json document = json::parse(ran.output, nullptr, false);
  if (document.is_discarded())
    return {ran.exit_code, "no JSON", "", {}};
  const json &conclusion = document.at("diagnosis");
  return {ran.exit_code, conclusion.at("root_cause").is_null() ? "" : conclusion.at("root_cause").get<std::string>(),
          conclusion.at("action").get<std::string>(), document};
}

struct paste {
  std::string name;
  std::string text;
  std::string root;
  int exit_code;
};

class explain_paste : public testing::TestWithParam<paste> {};

TEST_P(explain_paste, names_the_finding) {
  const explained said = explain(GetParam().text);
  EXPECT_EQ(said.root, GetParam().root) << said.document.dump(1).substr(0, 3000);
  EXPECT_EQ(said.exit_code, GetParam().exit_code);
}

INSTANTIATE_TEST_SUITE_P(
    pastes, explain_paste,
    testing::Values(
        paste{"nvidia_smi_at_a_prompt",
              "root@node:~# nvidia-smi\nFailed to initialize NVML: Driver/library version mismatch\n"
              "NVML library version: 550.54\nroot@node:~#\n",
              "userspace.version-mismatch", 2},
        paste{"kernel_log_names_both_versions",
              "$ dmesg | tail -4\n[1845112.400512] NVRM: API mismatch: the client has the version 550.54.15, but\n"
              "                 NVRM: this kernel module has the version 535.161.07.  Please\n"
              "                 NVRM: make sure that this kernel module and all NVIDIA driver\n"
              "                 NVRM: components have the same version.\n",
              "driver.module-older-than-userspace", 2},
        paste{
            "kernel_log_with_smi",
            "Failed to initialize NVML: Driver/library version mismatch\n"
            "Jun 12 14:02:52 host kernel: NVRM: API mismatch: the client has the version 550.54.15, but#012NVRM: this "
            "kernel module has the version 535.161.07.  Please#012NVRM: make sure\n",
            "driver.module-older-than-userspace", 2},
        paste{"fallen_off_the_bus",
              "[155044.078590] NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', name=<unknown>, GPU "
              "has fallen off the bus.\n",
              "hw.fell-off-bus", 2},
        paste{"gsp_timeout",
              "NVRM: Xid (PCI:0000:81:00): 119, pid=2341, name=python3, Timeout after 6s of waiting for RPC response "
              "from "
              "GPU4 GSP! Expected function 76 (GSP_RM_CONTROL) (0x20801813 0x4c).\n",
              "gsp.rpc-timeout", 2},
        paste{"pytorch",
              "Traceback (most recent call last):\n  File \"serve.py\", line 12, in <module>\n"
              "    torch.zeros(1).cuda()\nRuntimeError: No CUDA GPUs are available\n",
              "userspace.cuda-no-device", 2},
        paste{"compat",
              "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward compatibility was "
              "attempted on "
              "non supported HW\n",
              "userspace.cuda-compat-unsupported", 2},
        paste{"fabric_manager_is_another",
              "fabric manager NVIDIA GPU driver interface version 550.127.05 don't match with driver version 550.120. "
              "Please update with matching NVIDIA driver package.\n",
              "fabric.manager-version-mismatch", 2},
        paste{"application_error",
              "NVRM: Xid (PCI:0000:01:00): 13, pid=2763, name=python3, Graphics SM Warp Exception on (GPC 9, TPC 5, SM "
              "0): "
              "Out Of Range Address\n",
              "hw.xid-application", 0}),
    [](const auto &row) { return row.param.name; });

TEST(explain, text_that_says_nothing) {
  for (const std::string &text :
       {std::string(), std::string("\n\n"), std::string("all is well\n"), std::string(1 << 20, 'x'),
        std::string("\0\x01\xff\xfe binary \0", 13), std::string("NVRM: hello\n")}) {
    const explained said = explain(text);
    EXPECT_EQ(said.exit_code, 3) << text.substr(0, 40);
    EXPECT_EQ(said.root, "");
  }
}

TEST(explain, finds_a_message_in_a_long_line_of_a_log) {
  const explained said =
      explain("{\"log\":\"" + std::string(5000, '.') + " CUDA_ERROR_SYSTEM_DRIVER_MISMATCH\",\"pad\":\"" +
              std::string(1 << 20, '.') + "\"}\n");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_FALSE(said.root.empty());
}

TEST(explain, takes_files_and_refuses_what_it_cannot_read) {
  const test_folder folder;
  write_text(folder / "a.txt", "Failed to initialize NVML: Driver/library version mismatch\n");
  const command_result ran = run_gpucert({"explain", (folder / "a.txt").string()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.output.find("fail: userspace.version-mismatch\n"), ran.output.npos) << ran.output;
  EXPECT_NE(ran.output.find("$ gpucert collect DIR"), ran.output.npos) << "what would prove it";
  EXPECT_EQ(run_gpucert({"explain", (folder / "none.txt").string()}).exit_code, 64);
  EXPECT_EQ(run_gpucert({"explain", folder.path().string()}).exit_code, 3);
  EXPECT_EQ(run_gpucert({"explain", ""}).exit_code, 64);
}

TEST(explain, what_is_pasted_does_nothing_to_the_terminal) {
  const test_folder folder;
  write_text(folder / "a.txt", "\x1b]0;owned\x07 CUDA_ERROR_NO_DEVICE \x1b[2J\n");
  const std::string output = run_gpucert({"explain", (folder / "a.txt").string()}).output;
  EXPECT_EQ(output.find('\x1b'), output.npos);
}

} // namespace
} // namespace gpucert
