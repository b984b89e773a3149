// SPDX-License-Identifier: Apache-2.0
#include "node/package_history.h"
#include "tests/node/package_changes_in_words.h"

#include <gtest/gtest.h>

namespace gpucert {
namespace {

using words = std::vector<std::string>;

std::vector<package_transaction> parse(std::string_view text) { return parse_apt_history(text, "history.log"); }

constexpr const char *three_stanzas =
    "\n"
    "Start-Date: 2024-04-13  06:28:16\n"
    "Commandline: /usr/bin/unattended-upgrade\n"
    "Install: nvidia-firmware-535-server-535.161.08:amd64 (535.161.08-0ubuntu2.20.04.1, automatic)\n"
    "Upgrade: libnvidia-extra-535-server:amd64 (535.161.07-0ubuntu0.20.04.1, 535.161.08-0ubuntu2.20.04.1), "
    "libnvidia-compute-535-server:amd64 (535.161.07-0ubuntu0.20.04.1, 535.161.08-0ubuntu2.20.04.1)\n"
    "End-Date: 2024-04-13  06:29:57\n"
    "\n"
    "Start-Date: 2024-04-13  06:30:15\n"
    "Commandline: /usr/bin/unattended-upgrade\n"
    "Upgrade: libnvidia-common-535-server:amd64 (535.161.07-0ubuntu0.20.04.1, 535.161.08-0ubuntu2.20.04.1)\n"
    "End-Date: 2024-04-13  06:30:16\n"
    "\n"
    "Start-Date: 2024-04-13  06:30:25\n"
    "Commandline: /usr/bin/unattended-upgrade\n"
    "Remove: nvidia-firmware-535-server-535.161.07:amd64 (535.161.07-0ubuntu0.20.04.1)\n"
    "End-Date: 2024-04-13  06:30:25\n";

TEST(apt_history, reads_the_stanzas_of_one_upgrade) {
  const auto stanzas = parse(three_stanzas);
  ASSERT_EQ(stanzas.size(), 3u);
  EXPECT_EQ(in_words(stanzas[0].changes),
            (words{"install nvidia-firmware-535-server-535.161.08:amd64 - > 535.161.08-0ubuntu2.20.04.1",
                   "upgrade libnvidia-extra-535-server:amd64 535.161.07-0ubuntu0.20.04.1 > 535.161.08-0ubuntu2.20.04.1",
                   "upgrade libnvidia-compute-535-server:amd64 535.161.07-0ubuntu0.20.04.1 > "
                   "535.161.08-0ubuntu2.20.04.1"}));
  EXPECT_EQ(in_words(stanzas[2].changes),
            words{"remove nvidia-firmware-535-server-535.161.07:amd64 535.161.07-0ubuntu0.20.04.1 > -"});
  EXPECT_EQ(format_local_time(stanzas[0].start->local), "2024-04-13 06:28:16");
  EXPECT_FALSE(stanzas[0].start->utc_offset);
  EXPECT_EQ(stanzas[0].outcome, transaction_outcome::finished);
  EXPECT_EQ(in_words(stanzas[0].driver_move()), "535.161.07 > 535.161.08");
  EXPECT_EQ(in_words(stanzas[2].driver_move()), "none") << "old firmware leaves; the driver does not";
  EXPECT_TRUE(stanzas[2].changes_driver());
}

TEST(apt_history, three_stanzas_are_one_upgrade) {
  const auto runs = group_transactions(parse(three_stanzas));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].changes.size(), 5u);
  EXPECT_EQ(format_local_time(runs[0].start->local), "2024-04-13 06:28:16");
  EXPECT_EQ(format_local_time(runs[0].end->local), "2024-04-13 06:30:25");
  EXPECT_EQ(runs[0].outcome, transaction_outcome::finished);
  EXPECT_EQ(in_words(runs[0].driver_move()), "535.161.07 > 535.161.08");
  EXPECT_EQ(group_transactions(parse(three_stanzas), std::chrono::seconds{5}).size(), 3u);
}

TEST(apt_history, the_incident) {
  const auto runs = group_transactions(
      parse("Start-Date: 2024-06-12  06:41:03\n"
            "Commandline: /usr/bin/unattended-upgrade\n"
            "Upgrade: nvidia-driver-535-server:amd64 (535.161.07-0ubuntu0.22.04.1, 550.54.15-0ubuntu0.22.04.1), "
            "libnvidia-compute-535:amd64 (535.161.07-0ubuntu0.22.04.1, 550.54.15-0ubuntu0.22.04.1), "
            "nvidia-dkms-535-server:amd64 (535.161.07-0ubuntu0.22.04.1, 550.54.15-0ubuntu0.22.04.1)\n"
            "End-Date: 2024-06-12  06:43:27\n"));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].is_unattended());
  EXPECT_TRUE(runs[0].changes_driver());
  EXPECT_EQ(in_words(runs[0].driver_move()), "535.161.07 > 550.54.15");
  EXPECT_EQ(runs[0].source, "history.log");
}

TEST(apt_history, shortened_text_keeps_names_and_no_versions) {
  const auto stanzas =
      parse("Start-Date: 2026-05-21  06:52:45\n"
            "Commandline: /usr/bin/unattended-upgrade\n"
            "Install: nvidia-firmware-580-server-580.159.03:amd64 ...\n"
            "Upgrade: libnvidia-common-580-server, nvidia-driver-580-server-open, libnvidia-compute-580-server, "
            "nvidia-utils-580-server ... (580.126.09 -> 580.159.03)\n"
            "End-Date: 2026-05-21  06:55:58\n\n"
            "Start-Date: 2026-05-21  06:56:07\n"
            "Install: linux-image-5.15.0-179-generic, linux-headers-5.15.0-179-generic ...\n"
            "Upgrade: linux-generic (5.15.0.177.162, 5.15.0.179.163), x (1.0 -> 2.0), y (1.0), z\n"
            "End-Date: 2026-05-21  06:57:34\n");
  ASSERT_EQ(stanzas.size(), 2u);
  EXPECT_EQ(in_words(stanzas[0].changes),
            (words{"install nvidia-firmware-580-server-580.159.03:amd64 - > -",
                   "upgrade libnvidia-common-580-server - > -", "upgrade nvidia-driver-580-server-open - > -",
                   "upgrade libnvidia-compute-580-server - > -", "upgrade nvidia-utils-580-server - > -"}));
  EXPECT_TRUE(stanzas[0].changes_driver());
  EXPECT_FALSE(stanzas[0].driver_move());
  EXPECT_EQ(in_words(stanzas[1].changes),
            (words{"install linux-image-5.15.0-179-generic - > -", "install linux-headers-5.15.0-179-generic - > -",
                   "upgrade linux-generic 5.15.0.177.162 > 5.15.0.179.163", "upgrade x - > -", "upgrade y - > -",
                   "upgrade z - > -"}));
  EXPECT_FALSE(stanzas[1].command_line);
  EXPECT_FALSE(stanzas[1].is_unattended()) << "no command line is no proof of a timer";
}

TEST(apt_history, error_and_missing_end) {
  const auto stanzas =
      parse("Start-Date: 2022-08-01  10:00:00\n"
            "Commandline: apt-get install nvidia-driver-470\n"
            "Requested-By: someone (1000)\n"
            "Install: nvidia-dkms-470:amd64 (470.129.06-0ubuntu0.22.04.1, automatic)\n"
            "Error: Sub-process /usr/bin/dpkg returned an error code (1)\n"
            "End-Date: 2022-08-01  10:02:00\n"
            "\n"
            "Start-Date: 2022-08-02  06:10:00\n"
            "Commandline: /usr/bin/unattended-upgrade\n"
            "Upgrade: nvidia-dkms-470:amd64 (470.129.06-0ubuntu0.22.04.1, 470.141.03-0ubuntu0.22.04.1)\n"
            "Start-Date: 2022-08-02  08:00:00\n"
            "Commandline: apt --fix-broken install\n"
            "Reinstall: nvidia-dkms-470:amd64 (470.141.03-0ubuntu0.22.04.1)\n"
            "End-Date: 2022-08-02  08:00:09\n");
  ASSERT_EQ(stanzas.size(), 3u);
  EXPECT_EQ(stanzas[0].outcome, transaction_outcome::failed);
  EXPECT_EQ(stanzas[0].error, "Sub-process /usr/bin/dpkg returned an error code (1)");
  EXPECT_TRUE(stanzas[0].is_requested_by_person);
  EXPECT_EQ(in_words(stanzas[0].driver_move()), "- > 470.129.06");
  EXPECT_EQ(stanzas[1].outcome, transaction_outcome::interrupted) << "power loss: no End-Date, no blank line";
  EXPECT_FALSE(stanzas[1].end);
  EXPECT_EQ(in_words(stanzas[2].changes),
            words{"reinstall nvidia-dkms-470:amd64 470.141.03-0ubuntu0.22.04.1 > 470.141.03-0ubuntu0.22.04.1"});
  EXPECT_FALSE(stanzas[2].changes_driver());
}

TEST(apt_history, interrupted_stanza_makes_the_run_interrupted) {
  const auto runs =
      group_transactions(parse("Start-Date: 2024-04-13  06:28:16\nCommandline: /usr/bin/unattended-upgrade\n"
                               "\nStart-Date: 2024-04-13  06:30:15\nCommandline: "
                               "/usr/bin/unattended-upgrade\nEnd-Date: 2024-04-13  06:30:16\n"));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].outcome, transaction_outcome::interrupted);
}

TEST(apt_history, fabric_manager_alone_does_not_move_the_driver) {
  const auto stanzas = parse("Start-Date: 2023-11-06  10:12:31\n"
                             "Commandline: apt-get upgrade\n"
                             "Upgrade: nvidia-fabricmanager-535:amd64 (535.104.12-1, 535.129.03-1)\n"
                             "End-Date: 2023-11-06  10:12:40\n");
  EXPECT_FALSE(stanzas[0].changes_driver());
  EXPECT_FALSE(stanzas[0].driver_move());
  EXPECT_TRUE(stanzas[0].touches(driver_part::fabric_manager));
  EXPECT_EQ(in_words(stanzas[0].move_of(driver_part::fabric_manager)), "535.104.12 > 535.129.03");
}

TEST(apt_history, new_branch_comes_under_new_names) {
  const auto stanzas =
      parse("Start-Date: 2025-01-10  10:12:31\n"
            "Install: libnvidia-compute-550:amd64 (550.120-0ubuntu0.22.04.1, automatic)\n"
            "Upgrade: libnvidia-encode-470:amd64 (470.239.06-0ubuntu0.22.04.1, 470.256.02-0ubuntu0.22.04.1)\n"
            "Remove: libnvidia-compute-535:amd64 (535.183.01-0ubuntu0.22.04.1)\n"
            "End-Date: 2025-01-10  10:12:40\n\n"
            "Start-Date: 2025-01-11  10:12:31\n"
            "Install: libnvidia-compute-550:amd64 (550.120-0ubuntu0.22.04.1, automatic)\n"
            "Purge: libnvidia-compute-535:amd64 (535.183.01-0ubuntu0.22.04.1)\n"
            "End-Date: 2025-01-11  10:12:40\n");
  EXPECT_EQ(in_words(stanzas[0].driver_move()), "535.183.01 > 550.120") << "leftovers of 470 are upgraded beside it";
  EXPECT_EQ(in_words(stanzas[1].driver_move()), "535.183.01 > 550.120");
}

TEST(apt_history, prose_is_no_history) {
  EXPECT_TRUE(parse("(FM package upgraded, driver from .run not in dpkg)\nNote: nothing\n").empty());
  EXPECT_TRUE(parse("").empty());
}

TEST(apt_history, takes_megabyte_lines) {
  for (const char *piece : {"a (", "a, ", "(", ")", ", ", "a (1, 2), ", " "}) {
    std::string text = "Start-Date: 2024-04-13  06:28:16\nUpgrade: ";
    while (text.size() < 1'000'000)
      text += piece;
    EXPECT_EQ(parse(text).size(), 1u) << piece;
  }
}

struct command_row {
  const char *command_line;
  bool is_unattended;
};

TEST(package_transaction, only_a_timer_program_is_unattended) {
  const command_row table[] = {
      {"/usr/bin/unattended-upgrade", true},
      {"/usr/bin/python3 /usr/bin/unattended-upgrade --download-only", true},
      {"/usr/bin/python3 -u /usr/bin/unattended-upgrade", true},
      {"/usr/bin/dnf-automatic /etc/dnf/automatic.conf --installupdates", true},
      {"dnf5 automatic --timer", true},
      {"/usr/libexec/pk-offline-update", true},
      {"apt-get install unattended-upgrades", false},
      {"apt upgrade", false},
      {"dnf install dnf-automatic", false},
      {"packagekit role='update-packages'", false},
      {"'zypper' 'dup'", false},
      {"python3", false},
      {"", false},
  };
  for (const auto &[command_line, is_unattended] : table) {
    package_transaction transaction;
    transaction.command_line = command_line;
    EXPECT_EQ(transaction.is_unattended(), is_unattended) << command_line;
    transaction.is_requested_by_person = true;
    EXPECT_FALSE(transaction.is_unattended()) << command_line;
  }
}

} // namespace
} // namespace gpucert
