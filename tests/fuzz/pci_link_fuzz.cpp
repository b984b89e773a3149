// SPDX-License-Identifier: Apache-2.0
#include "node/pci_address.h"
#include "node/pci_link.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_pci_link(std::string_view input) {
  parse_link_speed(input);
  parse_link_width(input);
  parse_aer_counts(input);
  parse_pci_address(input);
  find_pci_address(input);
}

const fuzz_registration registration{
    {"pci_link",
     {"/max_link_speed", "/max_link_width"},
     fuzz_pci_link,
     {"RxErr 0\nBadTLP 3\nTOTAL_ERR_FATAL 3\n", "nvidia 0000:01:00.0: probe failed", "PCI:0000:01:00"}}};

} // namespace
} // namespace gpucert
