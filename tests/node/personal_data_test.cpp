// SPDX-License-Identifier: Apache-2.0
#include "node/personal_data.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

struct cleaned_line {
  const char *name;
  const char *path; // in the capture
  const char *text;
  const char *clean;
};

class personal_data_test : public testing::TestWithParam<cleaned_line> {};

TEST_P(personal_data_test, is_removed) {
  personal_data personal({"node17.example.com", "node17", "localhost", "", "nvidia"});
  EXPECT_EQ(personal.remove(GetParam().path, GetParam().text), GetParam().clean);
}

TEST(personal_data, users_and_passwords_of_addresses_are_removed) {
  personal_data personal({});
  constexpr const char *history = "root/var/log/apt/history.log";
  EXPECT_EQ(personal.remove(history, "Commandline: apt-get install https://alice:secret@repo/x.deb"),
            "Commandline: apt-get install https://@repo/x.deb");
  EXPECT_EQ(personal.remove(history, "see https://example.com/a@b"), "see https://example.com/a@b");
}

constexpr const char *log = "commands/dmesg.txt";
constexpr const char *query = "commands/nvidia_smi_q.txt";
constexpr const char *apt = "root/var/log/apt/history.log";
constexpr const char *zypp = "root/var/log/zypp/history";

INSTANTIATE_TEST_SUITE_P(
    names, personal_data_test,
    testing::Values(
        cleaned_line{"host_name_short", log, "Apr 23 18:55:23 node17 kernel: x", "Apr 23 18:55:23 HOST kernel: x"},
        cleaned_line{"host_name_long", log, "I am node17.example.com, node17.", "I am HOST, HOST."},
        cleaned_line{"host_name_inside_words", log, "node171 node17-0 my_node17", "node171 node17-0 my_node17"},
        cleaned_line{"host_name_at_the_edges", log, "node17", "HOST"},
        cleaned_line{"host_called_like_the_driver", log, "nvidia 1 0 localhost", "nvidia 1 0 localhost"},
        cleaned_line{"home", log, "/home/alice/a /home/bob", "/home/USER/a /home/USER"},
        cleaned_line{"home_alone", log, "ls /home/ is fine", "ls /home/ is fine"},
        cleaned_line{"who_asked_apt", apt, "Requested-By: alice (1000)", "Requested-By: USER (1000)"},
        cleaned_line{"who_asked_zypp", zypp,
                     "2026-08-27 11:12:25|install|kernel-default|7.2.0-1.1|x86_64|alice@node17|repo|sha|",
                     "2026-08-27 11:12:25|install|kernel-default|7.2.0-1.1|x86_64|USER@HOST|repo|sha|"},
        cleaned_line{"who_asked_zypp_under_an_old_host_name", zypp,
                     "2026-08-27 11:12:25|command|root@oldname|'zypper' 'up'|",
                     "2026-08-27 11:12:25|command|USER@HOST|'zypper' 'up'|"},
        cleaned_line{"user_at_host", "symptoms/install_commands.txt", "alice@node17:~$ nvidia-smi",
                     "USER@HOST:~$ nvidia-smi"},
        cleaned_line{"builder_of_the_module_stays", "root/proc/driver/nvidia/version", "(dvs-builder@U22-I3-B10-02-5)",
                     "(dvs-builder@U22-I3-B10-02-5)"},
        cleaned_line{"environment", "commands/env.txt", "USER=alice", "USER=USER"}),
    [](const auto &tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    serial_numbers, personal_data_test,
    testing::Values(cleaned_line{"of_the_board", log, "NVRM: GPU Board Serial Number: 1322621046271",
                                 "NVRM: GPU Board Serial Number: SERIAL"},
                    cleaned_line{"of_the_gpu", log, "NVRM: GPU 0000:01:00.0: GPU serial number is 1562720005312.",
                                 "NVRM: GPU 0000:01:00.0: GPU serial number is SERIAL."},
                    cleaned_line{"of_nvidia_smi", query, "    Serial Number                         : 1562720005312",
                                 "    Serial Number                         : SERIAL"},
                    cleaned_line{"of_nvidia_smi_with_other_blanks", query, "        Serial Number\t: 1562720005312",
                                 "        Serial Number\t: SERIAL"},
                    cleaned_line{"of_the_chassis", query, "        Chassis Serial Number             : 1820424000123",
                                 "        Chassis Serial Number             : SERIAL"},
                    cleaned_line{"that_the_board_lacks", query, "    Serial Number : N/A", "    Serial Number : N/A"},
                    cleaned_line{"that_is_not_stated", query, "    Serial Number                         : ",
                                 "    Serial Number                         : "}),
    [](const auto &tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    addresses, personal_data_test,
    testing::Values(
        cleaned_line{"ipv4", log, "from 192.168.0.1 to 10.0.0.255", "from ADDRESS to ADDRESS"},
        cleaned_line{"ipv4_with_port_or_mask", log, "10.0.0.1:8080 10.1.0.0/16", "ADDRESS:8080 ADDRESS/16"},
        cleaned_line{"ipv4_at_the_end_of_a_sentence", log, "It is 10.0.0.1.", "It is ADDRESS."},
        cleaned_line{"ipv6", log, "addr 2001:db8:0:1:2:3:4:5", "addr ADDRESS"},
        cleaned_line{"ipv6_shortened", log, "fe80::1 fe80::5054:ff:fe12:3456 [2001:db8::1]:443",
                     "ADDRESS ADDRESS [ADDRESS]:443"},
        cleaned_line{"mac", log, "mlx5_core: 52:54:00:ab:cd:ef: link up", "mlx5_core: ADDRESS: link up"},
        cleaned_line{"driver_version_stays", log, "560.35.05 550.120", "560.35.05 550.120"},
        cleaned_line{"kernel_version_of_five_numbers_stays", log, "5.15.0.105.102 12.1.2.3.4",
                     "5.15.0.105.102 12.1.2.3.4"},
        cleaned_line{"nvml_version_stays", "nvml.json", "{\"ret\": 0, \"value\": \"12.550.54.15\"}",
                     "{\"ret\": 0, \"value\": \"12.550.54.15\"}"},
        cleaned_line{"nvml_version_with_leading_zero_stays", "nvml.json", "\"12.255.54.05\"", "\"12.255.54.05\""},
        cleaned_line{"package_version_of_four_numbers_stays_in_logs", apt,
                     "linux-generic:amd64 (5.15.0.105, 5.15.0.106)", "linux-generic:amd64 (5.15.0.105, 5.15.0.106)"},
        cleaned_line{"package_version_stays_in_listings", "commands/dpkg_l.txt", "ii linux-generic 5.15.0.105 amd64",
                     "ii linux-generic 5.15.0.105 amd64"},
        cleaned_line{"kernel_of_wsl_stays", log,
                     "Linux version 5.15.167.4-microsoft-standard-WSL2 from 192.0.2.7-192.0.2.9",
                     "Linux version 5.15.167.4-microsoft-standard-WSL2 from ADDRESS-ADDRESS"},
        cleaned_line{"pci_address_stays", log, "NVRM: GPU at PCI:0000:3b:00: 00000000:3B:00.0 01:00.0 [10de:2204]",
                     "NVRM: GPU at PCI:0000:3b:00: 00000000:3B:00.0 01:00.0 [10de:2204]"},
        cleaned_line{"time_stays", log, "12:34:56 2026-09-27T10:01:02+00:00", "12:34:56 2026-09-27T10:01:02+00:00"},
        cleaned_line{"names_of_code_stay", log, "ray::WorkerDict std::bad_alloc a::b",
                     "ray::WorkerDict std::bad_alloc a::b"},
        cleaned_line{"library_name_stays", "commands/ldconfig_p.txt", "libnvinfer.so.8.6.1.6", "libnvinfer.so.8.6.1.6"},
        cleaned_line{"module_key_stays", "commands/modinfo_nvidia.txt", "sig_key: 4A:5B:6C:7D:8E:9F:00:11:22:33",
                     "sig_key: 4A:5B:6C:7D:8E:9F:00:11:22:33"}),
    [](const auto &tested) { return tested.param.name; });

constexpr const char *first = "11111111-2222-3333-4444-555555555555";
constexpr const char *second = "AAAAAAAA-bbbb-cccc-dddd-eeeeeeeeeeee";

TEST(personal_data, uuids_are_numbered_and_keep_their_number) {
  personal_data personal({});
  EXPECT_EQ(personal.remove(log, std::string("GPU-") + first + " GPU-" + second), "GPU-0 GPU-1");
  EXPECT_EQ(personal.remove("commands/nvidia_smi_l.txt", std::string("GPU 0: X (UUID: GPU-") + second + ")"),
            "GPU 0: X (UUID: GPU-1)")
      << "in every file of the capture";
  EXPECT_EQ(personal.remove("root/proc/sys/kernel/random/boot_id", std::string(first) + "\n"), "UUID-0\n");
  EXPECT_EQ(personal.remove(log, std::string("MIG-") + "99999999-2222-3333-4444-555555555555"), "MIG-2");
  EXPECT_EQ(personal.remove(log, "11111111-2222-3333-4444-55555555555"), "11111111-2222-3333-4444-55555555555")
      << "one digit is missing";
}

TEST(personal_data, lines_stay_lines) {
  personal_data personal({"node17"});
  EXPECT_EQ(personal.remove(log, "node17\n\nnode17"), "HOST\n\nHOST");
  EXPECT_EQ(personal.remove(log, "\n"), "\n");
  EXPECT_EQ(personal.remove(log, ""), "");
}

TEST(personal_data, takes_long_lines) { // what is quadratic in them would run for minutes
  personal_data personal({"node17"});
  for (const std::string piece :
       {"node17 ", "1.", "1:", "a", "a-", "/home/", "@", "alice@", "Serial Number ", "::", "1.2.3.4 "}) {
    std::string text;
    while (text.size() < (1 << 18))
      text += piece;
    personal.remove(log, text);
    personal.remove(zypp, text);
  }
}

} // namespace
} // namespace gpucert
