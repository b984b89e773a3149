// SPDX-License-Identifier: Apache-2.0
#include "node/pci_devices.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_lspci(std::string_view input) { parse_lspci(input); }

const fuzz_registration registration{{"lspci", {"commands/lspci_nnk.txt"}, fuzz_lspci}};

} // namespace
} // namespace gpucert
