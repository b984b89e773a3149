// SPDX-License-Identifier: Apache-2.0
#include "node/dkms.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_dkms_status(std::string_view input) {
  for (const dkms_entry &entry : parse_dkms_status(input).entries)
    entry.release();
}

const fuzz_registration registration{{"dkms_status",
                                      {"commands/dkms_status.txt"},
                                      fuzz_dkms_status,
                                      {"nvidia/570.133.07, 6.8.0-57-generic, x86_64: installed (WARNING! Diff between "
                                       "built and installed module!)\nnvidia, 396.45: added\n",
                                       "Error! Could not locate dkms.conf file.\nFile: "
                                       "/var/lib/dkms/nvidia/535.86.05/source/dkms.conf does not exist.\n"}}};

} // namespace
} // namespace gpucert
