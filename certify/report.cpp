// SPDX-License-Identifier: Apache-2.0
#include "certify/report.h"

#include "certify/acceptance_json.h"
#include "certify/atomic_file.h"
#include "certify/json_text.h"
#include "certify/stack_json.h"
#include "certify/version.h"
#include "node/wrong_input.h"

#include <fmt/chrono.h>

#include <ctime>

namespace gpucert {

using json = nlohmann::ordered_json;

exit_code report::code_of_stack() const {
  switch (stack.status) {
  case stack_status::pass:
    return exit_code::pass;
  case stack_status::warn:
    return is_strict ? exit_code::fail : exit_code::pass;
  case stack_status::fail:
    return exit_code::fail;
  case stack_status::unknown:
    return exit_code::unknown;
  }
  return exit_code::unknown;
}

exit_code report::code() const {
  if (!acceptance)
    return code_of_stack();
  switch (verdicts.return_to_service.word) {
  case verdict_word::pass:
    return exit_code::pass;
  case verdict_word::warn:
    return is_strict ? exit_code::fail : exit_code::pass;
  case verdict_word::fail:
    return exit_code::fail;
  case verdict_word::inconclusive:
  case verdict_word::incomplete:
  case verdict_word::invalid:
    return exit_code::unknown;
  }
  return exit_code::unknown;
}

report make_report(std::string subject, bool is_strict, stack_report stack) {
  return {std::string(suite_version),
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
          std::move(subject),
          is_strict,
          std::move(stack),
          std::nullopt,
          {}};
}

std::string report_to_json(const report &run) {
  const bool is_acceptance = run.acceptance.has_value();
  return json_text({{"schema", report_schema},
                    {"suite_version", run.suite_version},
                    {"created", run.created},
                    {"subject", run.subject},
                    {"is_strict", run.is_strict},
                    {"exit_code", static_cast<int>(run.code())},
                    {"is_simulated", is_acceptance && is_simulated(*run.acceptance)},
                    {"verdicts", is_acceptance ? verdicts_to_json(run.verdicts) : json(nullptr)},
                    {"stack", stack_to_json(run.stack, static_cast<int>(run.code_of_stack()))},
                    {"acceptance", is_acceptance ? acceptance_to_json(*run.acceptance) : json(nullptr)}});
}

void write_report(const std::filesystem::path &path, const report &run) { write_atomically(path, report_to_json(run)); }

namespace {

[[noreturn]] void refuse(const std::filesystem::path &path, std::string_view why) {
  throw unreadable_input(fmt::format("{}: {}", path.string(), why), "make one with gpucert check --output FILE");
}

report report_from_json(const json &document, const std::filesystem::path &path) {
  if (const auto schema = document.at("schema").get<std::string>(); schema != report_schema)
    throw unreadable_input(fmt::format("{}: is of format '{:.60}', not '{}'", path.string(), schema, report_schema),
                           "use the version of gpucert that wrote it");
  report run;
  document.at("suite_version").get_to(run.suite_version);
  document.at("created").get_to(run.created);
  document.at("subject").get_to(run.subject);
  document.at("is_strict").get_to(run.is_strict);
  run.stack = stack_from_json(document.at("stack"));
  // A check has none; the first reports of this format do not name it.
  if (const auto acceptance = document.find("acceptance"); acceptance != document.end() && !acceptance->is_null()) {
    run.acceptance = acceptance_from_json(*acceptance);
    run.verdicts = verdicts_from_json(document.at("verdicts"));
  }
  return run;
}

} // namespace

report read_report(const std::filesystem::path &path) {
  constexpr std::size_t limit_bytes = std::size_t{64} << 20; // a report has some 10 kB
  const std::string text = read_whole_file(path, limit_bytes);
  try {
    return report_from_json(json::parse(text), path);
  } catch (const json::parse_error &error) { // its own words may repeat half of the file
    refuse(path, fmt::format("is not JSON (near byte {})", error.byte));
  } catch (const json::exception &error) {
    refuse(path, fmt::format("is no gpucert report ({:.200})", error.what()));
  } catch (const unknown_word &error) {
    refuse(path, fmt::format("is no gpucert report of this version ({})", error.what()));
  }
}

} // namespace gpucert
