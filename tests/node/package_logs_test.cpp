// SPDX-License-Identifier: Apache-2.0
// The logs of dpkg, dnf, zypp and pacman; apt's has a file of its own.
#include "node/package_history.h"
#include "tests/node/package_changes_in_words.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

constexpr const char *dpkg_text =
    "2022-05-19 06:04:28 startup archives unpack\n"
    "2022-05-19 06:04:29 upgrade nvidia-driver-510:amd64 510.60.02-0ubuntu0.21.10.2 510.73.05-0ubuntu0.21.10.1\n"
    "2022-05-19 06:04:29 status half-configured nvidia-driver-510:amd64 510.60.02-0ubuntu0.21.10.2\n"
    "2022-05-19 06:04:29 status unpacked nvidia-driver-510:amd64 510.73.05-0ubuntu0.21.10.1\n"
    "2022-05-19 06:04:30 install nvidia-dkms-510:amd64 <none> 510.73.05-0ubuntu0.21.10.1\n"
    "2022-05-19 06:04:40 startup packages configure\n"
    "2022-05-19 06:04:40 configure nvidia-driver-510:amd64 510.73.05-0ubuntu0.21.10.1 <none>\n"
    "2022-05-19 06:04:41 status installed nvidia-driver-510:amd64 510.73.05-0ubuntu0.21.10.1\n"
    "2022-05-19 06:04:41 configure nvidia-dkms-510:amd64 510.73.05-0ubuntu0.21.10.1 <none>\n"
    "2022-05-19 06:09:41 status half-configured nvidia-dkms-510:amd64 510.73.05-0ubuntu0.21.10.1\n"
    "2022-05-19 06:09:42 startup packages configure\n"
    "2022-05-19 08:00:00 startup packages remove\n"
    "2022-05-19 08:00:01 remove xserver-xorg-video-nouveau:amd64 1:1.0.17-1build1 <none>\n"
    "2022-05-19 08:00:02 status not-installed xserver-xorg-video-nouveau:amd64 <none>\n"
    "2022-05-19 08:00\n";

TEST(dpkg_log, runs_of_one_apt_are_one_transaction) {
  const auto transactions = parse_dpkg_log(dpkg_text, "dpkg.log");
  ASSERT_EQ(transactions.size(), 2u);
  EXPECT_EQ(in_words(transactions[0].changes),
            (words{"upgrade nvidia-driver-510:amd64 510.60.02-0ubuntu0.21.10.2 > 510.73.05-0ubuntu0.21.10.1",
                   "install nvidia-dkms-510:amd64 - > 510.73.05-0ubuntu0.21.10.1"}));
  EXPECT_EQ(format_local_time(transactions[0].start->local), "2022-05-19 06:04:28");
  EXPECT_EQ(format_local_time(transactions[0].end->local), "2022-05-19 06:09:42");
  EXPECT_EQ(transactions[0].outcome, transaction_outcome::unstated);
  EXPECT_EQ(in_words(transactions[1].changes), words{"remove xserver-xorg-video-nouveau:amd64 1:1.0.17-1build1 > -"});
  EXPECT_FALSE(transactions[1].changes_driver());
}

TEST(dpkg_log, only_the_last_state_speaks) {
  const auto states = parse_dpkg_log_states(dpkg_text);
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0].name, "nvidia-dkms-510");
  EXPECT_EQ(states[0].state, package_state::half_configured) << "DKMS failed";
  EXPECT_EQ(states[1].name, "nvidia-driver-510");
  EXPECT_EQ(states[1].state, package_state::installed) << "half-configured on the way is normal";
  EXPECT_EQ(states[1].version->text, "510.73.05-0ubuntu0.21.10.1");
  EXPECT_EQ(states[2].state, package_state::not_installed);
  EXPECT_FALSE(states[2].version);
}

TEST(dnf_log, upgrade_is_new_and_upgraded_is_old) {
  const auto transactions =
      parse_dnf_log("2026-02-14T09:30:10+0000 INFO --- logging initialized ---\n"
                    "2026-02-14T09:30:12+0000 SUBDEBUG Upgrade: openssl-libs-1:3.2.2-6.el9.x86_64\n"
                    "2026-02-14T09:30:13+0000 SUBDEBUG Upgrade: nvidia-driver-cuda-libs-3:575.64.03-1.el9.x86_64\n"
                    "2026-02-14T09:30:14+0000 SUBDEBUG Installed: kmod-nvidia-5.14.0-570.el9_6-575.64.03-1.el9.x86_64\n"
                    "2026-02-14T09:30:15+0000 INFO warning: %post(akmod-nvidia-3:575.64.03-1.el9.x86_64) scriptlet "
                    "failed, exit status 1\n"
                    "2026-02-14T09:30:20+0000 SUBDEBUG Upgraded: nvidia-driver-cuda-libs-3:575.64-1.el9.x86_64\n"
                    "2026-02-14T09:30:21+0000 SUBDEBUG Upgraded: openssl-libs-1:3.2.2-5.el9.x86_64\n"
                    "2026-02-14T09:31:00+0000 INFO --- logging initialized ---\n"
                    "2026-02-14T09:32:00+0000 INFO --- logging initialized ---\n"
                    "2026-02-14T09:32:01+0000 SUBDEBUG Erase: kmod-nvidia-5.14.0-427.el9_4-575.64-1.el9.x86_64\n"
                    "2026-02-14T09:32:02+0000 SUBDEBUG Downgraded: libnvidia-ml-575.64.03-1.el9.x86_64\n"
                    "2026-02-14T09:32:03+0000 SUBDEBUG Downgrade: libnvidia-ml-575.64-1.el9.x86_64\n",
                    "dnf.rpm.log");
  ASSERT_EQ(transactions.size(), 2u) << "the run in between changed nothing";
  EXPECT_EQ(in_words(transactions[0].changes),
            (words{"upgrade openssl-libs:x86_64 1:3.2.2-5.el9 > 1:3.2.2-6.el9",
                   "upgrade nvidia-driver-cuda-libs:x86_64 3:575.64-1.el9 > 3:575.64.03-1.el9",
                   "install kmod-nvidia-5.14.0-570.el9_6:x86_64 - > 575.64.03-1.el9"}));
  EXPECT_EQ(in_words(transactions[0].driver_move()), "575.64 > 575.64.03");
  EXPECT_EQ(transactions[0].error,
            "warning: %post(akmod-nvidia-3:575.64.03-1.el9.x86_64) scriptlet failed, exit status 1");
  EXPECT_EQ(transactions[0].start->utc_offset, std::chrono::minutes{0});
  EXPECT_EQ(in_words(transactions[1].changes), (words{"remove kmod-nvidia-5.14.0-427.el9_4:x86_64 575.64-1.el9 > -",
                                                      "downgrade libnvidia-ml:x86_64 575.64.03-1.el9 > 575.64-1.el9"}));
  EXPECT_EQ(in_words(transactions[1].driver_move()), "575.64.03 > 575.64");
}

TEST(dnf_log, older_zones_and_a_log_without_its_first_line) {
  const auto transactions =
      parse_dnf_log("2019-10-11T07:51:56Z SUBDEBUG Installed: akmod-nvidia-3:430.50-1.fc30.x86_64\n"
                    "2021-10-11T07:51:56+00 SUBDEBUG Erase: akmod-nvidia-3:430.50-1.fc30.x86_64\n",
                    "dnf.rpm.log");
  ASSERT_EQ(transactions.size(), 2u);
  EXPECT_EQ(in_words(transactions[0].driver_move()), "- > 430.50");
  EXPECT_EQ(in_words(transactions[1].driver_move()), "430.50 > -");
}

TEST(zypp_history, install_is_an_upgrade_of_what_stood_before) {
  const auto transactions = parse_zypp_history(
      "# 2025-01-01 10:00:00 some.rpm installed ok\n"
      "2025-01-01 10:00:00|command|root@localhost|'zypper' 'install' 'nvidia-compute-G06'|\n"
      "2025-01-01 10:00:05|install|nvidia-compute-G06|550.90-24.1|x86_64|root@localhost|NVIDIA|0123abcd|\n"
      "2025-01-01 10:00:06|install|kernel-default|6.9.5-1.1|x86_64||repo-oss|0123abcd|\n"
      "# Additional rpm output:\n"
      "# 2025|install|x|1|\n"
      "2025-02-01 10:00:00|command|root@localhost|'zypper' 'dup'|\n"
      "2025-02-01 10:00:05|install|nvidia-compute-G06|550.100-25.1|x86_64||NVIDIA|0123abcd|\n"
      "2025-02-01 10:00:06|install|kernel-default|6.9.7-1.1|x86_64||repo-oss|0123abcd|\n"
      "2025-02-01 10:00:09|remove |kernel-default|6.9.5-1.1|x86_64|root@localhost|\n"
      "2025-02-02 10:00:00|radd   |NVIDIA|https://example.org|\n",
      "history");
  ASSERT_EQ(transactions.size(), 2u);
  EXPECT_EQ(in_words(transactions[0].changes), (words{"install nvidia-compute-G06:x86_64 - > 550.90-24.1",
                                                      "install kernel-default:x86_64 - > 6.9.5-1.1"}));
  EXPECT_EQ(in_words(transactions[1].changes),
            (words{"install nvidia-compute-G06:x86_64 550.90-24.1 > 550.100-25.1",
                   "install kernel-default:x86_64 - > 6.9.7-1.1", "remove kernel-default:x86_64 6.9.5-1.1 > -"}));
  EXPECT_EQ(transactions[1].command_line, "'zypper' 'dup'");
  EXPECT_EQ(in_words(transactions[1].driver_move()), "550.90 > 550.100");
  EXPECT_EQ(format_local_time(transactions[1].end->local), "2025-02-01 10:00:09");
}

TEST(zypp_history, without_commands_a_pause_separates) {
  EXPECT_EQ(parse_zypp_history("2026-08-27 11:12:25|install|kernel-default|7.2.0-1.1|x86_64|user@host|repo|sha|\n"
                               "2026-08-27 11:12:30|install|kernel-devel|7.2.0-1.1|noarch||repo|sha|\n"
                               "2026-08-27 12:12:25|install|vim|9.1-1.1|x86_64|user@host|repo|sha|\n",
                               "history")
                .size(),
            2u);
}

TEST(pacman_log, reads_transactions_and_the_errors_of_their_hooks) {
  const auto transactions = parse_pacman_log(
      "[2026-09-10T12:00:00-0400] [PACMAN] Running 'pacman -Syu'\n"
      "[2026-09-10T12:00:01-0400] [PACMAN] starting full system upgrade\n"
      "[2026-09-10T12:00:02-0400] [ALPM] transaction started\n"
      "[2026-09-10T12:00:02-0400] [ALPM] upgraded nvidia-utils (610.57.04-1 -> 615.71.09-1)\n"
      "[2026-09-10T12:00:02-0400] [ALPM-SCRIPTLET] upgraded nvidia-utils (1.0-1 -> 2.0-1)\n"
      "[2026-09-10T12:00:03-0400] [ALPM] installed opencl-nvidia (615.71.09-1)\n"
      "[2026-09-10T12:00:03-0400] [ALPM] downgraded mesa (1:26.1-1 -> 1:26.0-1)\n"
      "[2026-09-10T12:00:03-0400] [ALPM] reinstalled linux (7.0.6.arch1-1)\n"
      "[2026-09-10T12:00:03-0400] [ALPM] removed nvidia-lts (1:610.57.04-1)\n"
      "[2026-09-10T12:00:04-0400] [ALPM] transaction completed\n"
      "[2026-09-10T12:00:05-0400] [ALPM] running '70-dkms-install.hook'...\n"
      "[2026-09-10T12:00:06-0400] [ALPM-SCRIPTLET] ==> dkms install --no-depmod nvidia/615.71.09 -k 7.0.6-arch1-1\n"
      "[2026-09-10T12:00:07-0400] [ALPM-SCRIPTLET] Error! Bad return status for module build on kernel: 7.0.6-arch1-1\n"
      "[2026-09-11T12:00:00-0400] [PACMAN] Running 'pacman -R opencl-nvidia'\n"
      "[2026-09-11T12:00:02-0400] [ALPM] transaction started\n"
      "[2026-09-11T12:00:02-0400] [ALPM] removed opencl-nvidia (615.71.09-1)\n",
      "pacman.log");
  ASSERT_EQ(transactions.size(), 2u);
  EXPECT_EQ(in_words(transactions[0].changes),
            (words{"upgrade nvidia-utils 610.57.04-1 > 615.71.09-1", "install opencl-nvidia - > 615.71.09-1",
                   "downgrade mesa 1:26.1-1 > 1:26.0-1", "reinstall linux 7.0.6.arch1-1 > 7.0.6.arch1-1",
                   "remove nvidia-lts 1:610.57.04-1 > -"}));
  EXPECT_EQ(in_words(transactions[0].driver_move()), "610.57.04 > 615.71.09");
  EXPECT_EQ(transactions[0].command_line, "pacman -Syu");
  EXPECT_EQ(transactions[0].outcome, transaction_outcome::finished);
  EXPECT_EQ(transactions[0].error, "Error! Bad return status for module build on kernel: 7.0.6-arch1-1");
  EXPECT_EQ(transactions[0].start->utc_offset, std::chrono::minutes{-240});
  EXPECT_EQ(transactions[1].outcome, transaction_outcome::interrupted);
  EXPECT_EQ(transactions[1].command_line, "pacman -R opencl-nvidia");
}

TEST(pacman_log, error_of_a_hook_without_its_transaction) {
  const auto transactions = parse_pacman_log(
      "[2025-04-26T10:15:00+0200] [ALPM-SCRIPTLET] ==> dkms install --no-depmod nvidia/470.256.02 -k 6.14.4-arch1-2\n"
      "[2025-04-26T10:15:01+0200] [ALPM-SCRIPTLET] Error! Bad return status for module build on kernel: 6.14.4-arch1-2 "
      "(x86_64)\n"
      "[2025-04-26T10:15:04+0200] [ALPM-SCRIPTLET] ==> ERROR: module not found: 'nvidia'\n",
      "pacman.log");
  ASSERT_EQ(transactions.size(), 1u);
  EXPECT_TRUE(transactions[0].changes.empty());
  EXPECT_EQ(transactions[0].error, "Error! Bad return status for module build on kernel: 6.14.4-arch1-2 (x86_64)");
  EXPECT_EQ(transactions[0].outcome, transaction_outcome::unstated);
}

TEST(pacman_log, before_2019) {
  const auto transactions = parse_pacman_log("[2012-05-07 18:34] Running 'pacman -Su'\n"
                                             "[2012-05-07 18:34] upgraded nvidia-utils (295.40-1 -> 295.49-1)\n"
                                             "[2019-05-07 18:34] [PACMAN] Running 'pacman -S nvidia'\n"
                                             "[2019-05-07 18:34] [ALPM] installed nvidia (430.09-1)\n",
                                             "pacman.log");
  ASSERT_EQ(transactions.size(), 2u);
  EXPECT_EQ(in_words(transactions[0].driver_move()), "295.40 > 295.49");
  EXPECT_FALSE(transactions[0].start->utc_offset);
  EXPECT_EQ(in_words(transactions[1].driver_move()), "- > 430.09");
}

TEST(package_logs, take_rubbish) {
  using parser = std::vector<package_transaction> (*)(std::string_view, std::string_view);
  for (const parser parse : {parser{parse_apt_history}, parser{parse_dpkg_log}, parser{parse_dnf_log},
                             parser{parse_zypp_history}, parser{parse_pacman_log}})
    for (const char *begin : {"2024-04-13 06:28:16 upgrade ", "2024-04-13T06:28:16Z SUBDEBUG Upgrade: ",
                              "2024-04-13 06:28:16|install|", "[2024-04-13 06:28] [ALPM] upgraded ", "[", "", "\n"})
      for (const char *piece : {"a", " ", "-", ".", "|", "\\|", "[", "]", "(", "a (1 -> ", ": ", "\n", "\r\n", "\t"}) {
        std::string text = begin;
        while (text.size() < 20'000)
          text += piece;
        EXPECT_LE(parse(text, "log").size(), 1u) << begin << piece;
      }
}

TEST(package_logs, take_megabyte_lines) {
  const std::string blanks(1'000'000, ' '), bars(1'000'000, '|'), brackets(1'000'000, '[');
  EXPECT_TRUE(parse_dpkg_log("2024-04-13 06:28:16 upgrade" + blanks, "log").empty());
  EXPECT_TRUE(parse_dnf_log("2024-04-13T06:28:16Z SUBDEBUG Upgrade:" + blanks + "-", "log").empty());
  EXPECT_TRUE(parse_zypp_history("2024-04-13 06:28:16|install|" + bars, "log").empty());
  EXPECT_TRUE(parse_pacman_log("[2024-04-13 06:28] " + brackets, "log").empty());
}

} // namespace
} // namespace gpucert
