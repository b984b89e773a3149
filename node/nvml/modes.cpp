// SPDX-License-Identifier: Apache-2.0
// Queries: settings of the GPU, and who is on it.
#include "node/nvml/answer_forms.h"

#include <algorithm>

namespace gpucert {
namespace {

using namespace nvml_forms;
namespace abi = nvml_abi;

/// The number of processes, and their ids beside it; never their names.
ordered_json ask_processes(const nvml_scope &, auto call) {
  std::vector<abi::process_info> processes(64);
  unsigned count = 0;
  return_code ret{};
  // The library says how many there are when the list was too short; one that grows meanwhile is asked again.
  for (int attempt = 0; attempt < 3; ++attempt) {
    count = static_cast<unsigned>(processes.size());
    ret = call(&count, processes.data());
    if (ret != return_code::insufficient_size)
      break;
    processes.resize(std::clamp<std::size_t>(2 * std::size_t{count}, 2 * processes.size(), 65536));
  }
  ordered_json answer = answer_of(ret);
  if (ret != return_code::success)
    return answer;
  answer["value"] = count;
  answer["pids"] = ordered_json::array();
  for (std::size_t i = 0; i < std::min<std::size_t>(count, processes.size()); ++i)
    answer["pids"].push_back(processes[i].pid);
  return answer;
}

nvml_query processes(abi::device_processes_function function) {
  return custom(function, [](const nvml_scope &scope, auto call) { return ask_processes(scope, call); });
}

} // namespace

nvml_queries nvml_mode_queries() {
  return {
      value(abi::device_persistence_mode),       value(abi::device_compute_mode),
      value(abi::device_accounting_mode),        values(abi::device_mig_mode, "currentMode", "pendingMode"),
      value(abi::device_max_mig_count),          processes(abi::device_compute_processes),
      processes(abi::device_graphics_processes),
  };
}

} // namespace gpucert
