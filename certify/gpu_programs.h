// SPDX-License-Identifier: Apache-2.0
// The GPU programs beside this one: where they are, what environment they get, and what their results mean for a GPU.
#pragma once

#include "certify/acceptance_record.h"
#include "node/evidence.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gpucert {

/// gpucert-NAME, installed beside this program.
std::filesystem::path gpu_program_path(const std::string &name);

/// Of every GPU program, whatever the caller's is: LD_LIBRARY_PATH, LD_PRELOAD and CUDA variables change what is
/// tested.
std::vector<std::string> base_environment();

/// "48 cases: 46 passed, 2 skipped"
std::string summarize(const program_record &program);

/// The record of gpucert-ready over all GPUs, as one record for each: its cases are named ready.gpu_N. A GPU program
/// that found no GPU gives one record of index 0, which holds what went wrong.
std::vector<gpu_record> split_by_gpu(const program_record &ready);

/// True when a fresh process could use the GPU.
bool is_ready(const gpu_record &gpu);

/// Processes on the GPUs by NVML: "GPU 0: pid 4121". Empty where NVML does not answer: the stack says so.
std::vector<std::string> find_gpu_processes(const node_evidence &evidence);

} // namespace gpucert
