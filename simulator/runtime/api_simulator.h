// SPDX-License-Identifier: Apache-2.0
// What the simulated libcudart exports besides CUDA (and the calls of twin_abi.h).
#pragma once

#include "harness/work.h"
#include "simulator/simulation.h"
#include "simulator/twin_abi.h"

#include <cuda_runtime_api.h>

extern "C" {
/// Virtual time of the host.
double gpucert_simulator_now_us(void);
/// The work of each of the launches and copies that follow, instead of what they show; null: no longer.
void gpucert_simulator_announce_work(const gpucert::work *announced);
/// The case that runs now, for the fault crash:CASE_ID; null: none.
void gpucert_simulator_announce_case(const char *name);

/// Returns 0, or another number when an address was not the device's.
using computation = int(void *argument);
/// Submits a computation of a library. Takes the argument over.
int gpucert_simulator_submit(cudaStream_t stream, const gpucert::work *done, computation *run, void *argument,
                             void (*destroy)(void *));
/// Inside a computation: may the GPU read and write these bytes?
bool gpucert_simulator_is_readable(const void *address, std::size_t bytes);
/// Counts one more GEMM of this process, of whatever library, and returns its number.
long long gpucert_simulator_count_gemm(void);
const gpucert::simulator::simulation *gpucert_simulator_what(void);
}
