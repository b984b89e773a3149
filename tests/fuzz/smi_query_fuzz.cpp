// SPDX-License-Identifier: Apache-2.0
#include "node/gpu_state.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_smi_query(std::string_view input) {
  std::vector<gpu_state> states = parse_smi_query(input, "commands/nvidia_smi_q.txt");
  complete_gpu_states(states, parse_smi_query(input.substr(input.size() / 2), "symptoms/nvidia_smi_q.txt"));
  for (const gpu_state &state : states)
    state.label();
  short_pci_address(input);
  is_datacenter_gpu(input);
}

const fuzz_registration registration{{"smi_query", {"commands/nvidia_smi_q.txt"}, fuzz_smi_query}};

} // namespace
} // namespace gpucert
