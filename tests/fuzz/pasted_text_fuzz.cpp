// SPDX-License-Identifier: Apache-2.0
#include "certify/pasted_text.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_pasted_text(std::string_view input) { sort_pasted_text(input); }

const fuzz_registration registration{{"pasted_text",
                                      {"commands/nvidia_smi.txt", "commands/dkms_status.txt", "commands/dpkg_l.txt",
                                       "symptoms/app_error.txt", "commands/dmesg.txt"},
                                      fuzz_pasted_text}};

} // namespace
} // namespace gpucert
