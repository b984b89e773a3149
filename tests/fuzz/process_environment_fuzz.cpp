// SPDX-License-Identifier: Apache-2.0
#include "node/process_environment.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_process_environment(std::string_view input) { parse_environment(input).library_folders(); }

const fuzz_registration registration{
    {"process_environment",
     {"commands/env.txt"},
     fuzz_process_environment,
     {"export LD_LIBRARY_PATH=/usr/local/cuda/compat::/opt/lib:\nENV CUDA_VISIBLE_DEVICES=0,1\n"}}};

} // namespace
} // namespace gpucert
