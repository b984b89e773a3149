// SPDX-License-Identifier: Apache-2.0
#include "node/module_builds.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_module_builds(std::string_view input) { parse_module_builds(input, "term.log"); }

const fuzz_registration registration{
    {"module_builds",
     {"root/var/log/pacman.log", "symptoms/dnf_output.txt"},
     fuzz_module_builds,
     {"Building module for kernel 6.8.0-57-generic\nnvidia/570.133.07\nError! Bad return status for module build on "
      "kernel: 6.8.0-57-generic (x86_64)\nConsult /var/lib/dkms/nvidia/570.133.07/build/make.log for more "
      "information.\n",
      "Error! Your kernel headers for kernel 5.15.0-105-generic cannot be found.\n",
      "==> dkms install --no-depmod nvidia/570.133.07 -k 6.14.2-arch1-1\nmake[2]: *** [nvidia/nv.o] Error 1\n"}}};

} // namespace
} // namespace gpucert
