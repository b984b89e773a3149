// SPDX-License-Identifier: Apache-2.0
// What gpucert writes is of its schemas, in the eyes of a validator that is not ours: jsonschema of python3-jsonschema.
#include "tests/certify/running.h"

namespace gpucert {
namespace {

const std::string schema_folder = GPUCERT_SOURCE_DIR "/results/schema/";

/// The command line of the validator that is installed; empty where none is.
std::vector<std::string> find_validator() {
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"jsonschema"},
        std::vector<std::string>{"python3", "-W", "ignore", "-m", "jsonschema"}}) {
    std::vector<std::string> trial = words;
    trial.emplace_back("--version");
    if (run(trial).succeeded())
      return words;
  }
  return {};
}

/// Validates documents against one schema, in one process.
command_result validate(std::vector<std::string> words, const std::string &schema,
                        const std::vector<std::string> &documents) {
  words.insert(words.end(), {"--base-uri", "file://" + schema_folder});
  for (const std::string &document : documents)
    words.insert(words.end(), {"-i", document});
  words.push_back(schema_folder + schema);
  return run(words);
}

class capture_schemas : public testing::Test {
protected:
  void SetUp() override { // NOLINT(readability-identifier-naming): GoogleTest's name
    validator_ = find_validator();
    if (validator_.empty())
      GTEST_SKIP() << "no validator: install python3-jsonschema";
  }
  const std::vector<std::string> &validator() const { return validator_; }

private:
  std::vector<std::string> validator_;
};

TEST_F(capture_schemas, accept_what_is_written_of_every_node) {
  const test_folder folder;
  std::vector<std::string> stacks, reports;
  for (const std::string &node : node_names()) {
    stacks.push_back(folder / (node + ".stack.json"));
    reports.push_back(folder / (node + ".report.json"));
    write_text(
        stacks.back(),
        run_gpucert({"check", "--root", nodes_folder + node, "--format", "json", "--output", reports.back()}).output);
  }
  const command_result of_stacks = validate(validator(), "stack-1.schema.json", stacks);
  EXPECT_TRUE(of_stacks.succeeded()) << of_stacks.how_it_ended() << of_stacks.output << of_stacks.errors;
  const command_result of_reports = validate(validator(), "report-1.schema.json", reports);
  EXPECT_TRUE(of_reports.succeeded()) << of_reports.how_it_ended() << of_reports.output << of_reports.errors;
}

TEST_F(capture_schemas, refuse_planted_mistakes) {
  const test_folder folder;
  run_gpucert({"check", "--root", nodes_folder + "incident_fault", "--output", folder / "good.json"});
  const json good = json::parse(read_text(folder / "good.json"));
  ASSERT_TRUE(validate(validator(), "report-1.schema.json", {folder / "good.json"}).succeeded());

  const std::vector<std::pair<const char *, json>> mistakes = {
      {"/schema", "gpucert-report-2"},
      {"/exit_code", 1},
      {"/created", "yesterday"},
      {"/stack/status", "pass"}, // with the exit code of a failure
      {"/stack/verdict", "fail"},
      {"/stack/versions/kernel_module_version", ""},
      {"/stack/findings/0/severity", "error"},
      {"/stack/findings/0/id", "Driver.Old"},
      {"/stack/findings/0/evidence/0/line", 7},
      {"/stack/diagnosis/root_cause", nullptr}, // of a failure
      {"/stack/diagnosis/steps/0/command", ""},
  };
  for (const auto &[field, value] : mistakes) {
    json wrong = good;
    wrong[json::json_pointer(field)] = value;
    write_text(folder / "wrong.json", wrong.dump());
    const command_result ran = validate(validator(), "report-1.schema.json", {folder / "wrong.json"});
    EXPECT_EQ(ran.exit_code, 1) << field << ": " << ran.how_it_ended() << ran.errors;
  }
}

} // namespace
} // namespace gpucert
