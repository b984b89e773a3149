// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_statement.h"
#include "node/nvrm_reports.h"
#include "node/xid_event.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_kernel_statement(std::string_view input) {
  spans_lines(input);
  parse_kernel_statement(input);
  release_in(input);
  parse_xid(input);
  parse_api_mismatch(input);
  parse_other_driver(input);
}

const fuzz_registration registration{
    {"kernel_statement",
     {"commands/dmesg.txt"},
     fuzz_kernel_statement,
     {"NVRM: Xid (PCI:0000:01:00): 79, pid=1, name=x, GPU has fallen off the bus.",
      "nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 33 LTSSM Fault Up",
      "NVRM: API mismatch: the client has the version 535.261.03, but this kernel module has the version 535.247.01.",
      "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x24:0xffff:1220)",
      "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54.15  Fri"}}};

} // namespace
} // namespace gpucert
