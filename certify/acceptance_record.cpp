// SPDX-License-Identifier: Apache-2.0
#include "certify/acceptance_record.h"

#include "certify/word_table.h"

#include <algorithm>

namespace gpucert {
namespace {

constexpr word_table<stage_state, 4> state_words{{{stage_state::pending, "pending"},
                                                  {stage_state::running, "running"},
                                                  {stage_state::done, "done"},
                                                  {stage_state::left_out, "left out"}}};

} // namespace

std::string_view name_of(stage_state state) { return word_of(state_words, state); }
std::optional<stage_state> parse_stage_state(std::string_view word) { return value_of(state_words, word); }

std::vector<run_event> run_events(const acceptance_record &record) {
  std::vector<run_event> events;
  for (const gpu_record &gpu : record.gpus)
    for (const program_record &program : gpu.programs)
      for (const gpu_process &process : program.processes)
        if (process.run)
          events.push_back(*process.run);
  return events;
}

bool is_simulated(const acceptance_record &record) {
  const std::vector<run_event> events = run_events(record);
  return !record.simulation.empty() ||
         std::any_of(events.begin(), events.end(), [](const run_event &event) { return event.is_simulated; });
}

} // namespace gpucert
