// SPDX-License-Identifier: Apache-2.0
#include "certify/gpu_program.h"

#include "node/command.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace gpucert {
namespace {

using clock = std::chrono::steady_clock;

// What a broken program wrote last is enough for a report.
constexpr std::size_t most_error_bytes = 2000;

// Each costs a whole deadline. What is left then counts as not run.
constexpr std::ptrdiff_t most_hung_processes = 3;

std::string tail_of(const std::string &text) {
  return text.size() <= most_error_bytes ? text : text.substr(text.size() - most_error_bytes);
}

std::string read_text(const std::filesystem::path &path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Watches the lines while the program runs, and says when it has been silent in one case for too long.
class case_watch {
public:
  case_watch(const gpu_program_request &request, std::size_t ended_before, std::size_t expected)
      : request_(request), ended_before_(ended_before), now_{"", ended_before, expected, {}} {}

  /// False when the running case, or the time to the first one, is over its deadline.
  bool may_continue() {
    std::error_code error;
    const auto size = std::filesystem::file_size(request_.lines_file, error);
    if (!error && size != seen_bytes_) {
      seen_bytes_ = size;
      last_change_ = clock::now();
      const run_record record = parse_case_lines(read_text(request_.lines_file));
      has_started_ = record.run.has_value();
      now_.running = record.running.value_or("");
      now_.ended = ended_before_ + record.ended.size();
    }
    now_.silent = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - last_change_);
    if (request_.on_progress) // also while nothing happens: a case that hangs is seen before its deadline
      request_.on_progress(now_);
    const auto limit = has_started_ ? request_.case_deadline : request_.start_deadline;
    return now_.silent < limit;
  }

private:
  const gpu_program_request &request_;
  std::size_t ended_before_;
  case_progress now_;
  std::uintmax_t seen_bytes_ = 0;
  clock::time_point last_change_ = clock::now();
  bool has_started_ = false;
};

command make_command(const gpu_program_request &request, std::vector<std::string> more) {
  command what;
  what.arguments = {request.program.string()};
  what.arguments.insert(what.arguments.end(), request.arguments.begin(), request.arguments.end());
  what.arguments.insert(what.arguments.end(), more.begin(), more.end());
  what.environment = request.environment;
  return what;
}

/// The ids of the cases of this request. The list needs no GPU, so that it is known also where none answers.
bool list_cases(const gpu_program_request &request, program_record &result) {
  command what = make_command(request, {"--list"});
  what.deadline = request.start_deadline;
  const command_result listed = run_command(what);
  if (!listed.succeeded()) {
    result.problem = fmt::format("{} --list {}: {}", request.program.filename().string(), listed.how_it_ended(),
                                 tail_of(listed.errors));
    return false;
  }
  std::string_view rest = listed.output;
  while (!rest.empty())
    if (const std::string_view id = trim(take_line(rest)); !id.empty())
      result.expected.emplace_back(id);
  return true;
}

/// The case that a process left unfinished, as an error of that case.
case_end describe_unfinished(const std::string &name, const gpu_process &process) {
  case_end end;
  end.name = name;
  end.outcome = case_outcome::error;
  end.reason = process.was_hung ? "hung: no result before its deadline; the process was killed"
                                : "crashed: the process " + process.end;
  return end;
}

/// One process for all cases that have not ended. Returns false when another one would bring nothing.
bool run_process(const gpu_program_request &request, program_record &result) {
  std::vector<std::string> more{"--case-lines", request.lines_file.string()};
  for (const case_end &done : result.cases)
    more.insert(more.end(), {"--exclude", done.name});
  std::error_code ignored;
  std::filesystem::remove(request.lines_file, ignored);

  case_watch watch(request, result.cases.size(), result.expected.size());
  command what = make_command(request, more);
  what.deadline = std::chrono::hours(4); // the deadlines of the cases bound it
  what.may_continue = [&] { return watch.may_continue(); };
  const command_result ended = run_command(what);

  if (ended.end == command_end::not_started) { // says nothing of the GPU
    result.problem = fmt::format("{} {}", request.program.filename().string(), ended.how_it_ended());
    return false;
  }
  run_record record = parse_case_lines(read_text(request.lines_file));
  gpu_process process{std::move(record.run), ended.how_it_ended(),
                      ended.end == command_end::timed_out || ended.end == command_end::abandoned,
                      tail_of(ended.errors)};
  const std::size_t before = result.cases.size();
  std::move(record.ended.begin(), record.ended.end(), std::back_inserter(result.cases));
  if (record.running)
    result.cases.push_back(describe_unfinished(*record.running, process));
  const bool has_progress = result.cases.size() > before;
  if (!has_progress && !record.is_done)
    result.problem = fmt::format("{} {}{}{}", request.program.filename().string(), process.end,
                                 process.errors.empty() ? "" : ": ", process.errors);
  result.processes.push_back(std::move(process));
  const auto hung =
      std::count_if(result.processes.begin(), result.processes.end(), [](const auto &one) { return one.was_hung; });
  return has_progress && !record.is_done && hung < most_hung_processes;
}

} // namespace

bool program_record::is_complete() const { return !problem && !expected.empty() && missing().empty(); }

std::vector<std::string> program_record::missing() const {
  std::vector<std::string> ids;
  for (const std::string &id : expected)
    if (std::none_of(cases.begin(), cases.end(), [&](const case_end &end) { return end.name == id; }))
      ids.push_back(id);
  return ids;
}

program_record run_gpu_program(const gpu_program_request &request) {
  program_record result;
  result.program = request.name;
  if (request.can_list && !list_cases(request, result))
    return result;
  std::string all_lines;
  // Every process ends at least one case, else it was the last: no more processes than cases.
  for (bool goes_on = true; goes_on && (!request.can_list || !result.missing().empty());) {
    goes_on = run_process(request, result);
    all_lines += read_text(request.lines_file); // the next process starts a new file
  }
  std::ofstream(request.lines_file, std::ios::binary) << all_lines;
  if (!request.can_list)
    for (const case_end &end : result.cases)
      result.expected.push_back(end.name);
  return result;
}

} // namespace gpucert
