// SPDX-License-Identifier: Apache-2.0
#include "node/personal_data.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_personal_data(std::string_view input) {
  personal_data({"node7.example.org", "node7"}).remove("commands/dmesg.txt", input);
}

const fuzz_registration registration{
    {"personal_data",
     {"commands/dmesg.txt", "commands/nvidia_smi_q.txt", "symptoms/container_error.txt"},
     fuzz_personal_data}};

} // namespace
} // namespace gpucert
