// SPDX-License-Identifier: Apache-2.0
#include "node/gpu_state.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_gpu_state(std::string_view input) {
  const nvml_parse_result result = parse_nvml_record(input);
  if (result.record)
    gpu_states_of(*result.record, "nvml.json");
}

const fuzz_registration registration{{"gpu_state", {"/nvml.json"}, fuzz_gpu_state}};

} // namespace
} // namespace gpucert
