// SPDX-License-Identifier: Apache-2.0
// The whole text view of two nodes, word by word: tests/certify/golden/NODE.txt. After a change that is meant,
//   GPUCERT_UPDATE_GOLDEN=1 build/release/bin/gpucert-certify-tests --gtest_filter='*capture_golden*'
// writes the files anew; read their diff before you commit it.
#include "certify/version.h"
#include "tests/certify/running.h"

namespace gpucert {
namespace {

void replace_first(std::string &text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  ASSERT_NE(at, text.npos) << "no '" << from << "' in the text view";
  text.replace(at, from.size(), to);
}

/// What differs from run to run and from place to place: "gpucert VERSION examined capture FOLDER at TIME".
void normalise(std::string &text, const std::string &folder) {
  constexpr std::size_t time_length = 20; // 2026-05-21T06:52:45Z
  replace_first(text, folder, "FOLDER");
  replace_first(text, "gpucert " + std::string(suite_version), "gpucert VERSION");
  const auto time = text.find("FOLDER at ") + std::string_view("FOLDER at ").size();
  ASSERT_LT(time + time_length, text.size()) << text;
  ASSERT_EQ(text[time + time_length], '\n');
  text.replace(time, time_length, "TIME");
}

class capture_golden : public testing::TestWithParam<std::string> {};

TEST_P(capture_golden, text_view) {
  std::string text = run_gpucert({"check", "--root", nodes_folder + GetParam()}).output;
  normalise(text, nodes_folder + GetParam());
  const std::string file = GPUCERT_SOURCE_DIR "/tests/certify/golden/" + GetParam() + ".txt";
  if (std::getenv("GPUCERT_UPDATE_GOLDEN") != nullptr)
    write_text(file, text);
  EXPECT_EQ(text, read_text(file));
}

INSTANTIATE_TEST_SUITE_P(nodes, capture_golden, testing::Values("incident_fault", "incident_repaired"),
                         [](const auto &node) { return node.param; });

} // namespace
} // namespace gpucert
