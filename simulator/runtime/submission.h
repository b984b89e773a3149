// SPDX-License-Identifier: Apache-2.0
// Putting computations into a stream: what kernels and GEMMs have in common.
#pragma once

#include "simulator/runtime/process.h"

#include <functional>

namespace gpucert::simulator {

/// Submits `run`. Its time is that of the announced work, if there is one, else `usual_us`. Counts as a launch for the
/// faults crash, hang and launch-error.
cudaError_t submit_computation(process_state &process, CUstream_st &stream, double usual_us,
                               std::function<cudaError_t()> run);

} // namespace gpucert::simulator
