// SPDX-License-Identifier: Apache-2.0
#include "node/container_view.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_container_view(std::string_view input) {
  allows_gpu(parse_device_rules(input));
  parse_ls(input);
  parse_library_files(input);
}

const fuzz_registration registration{
    {"container_view",
     {"commands/container_ls_l.txt"},
     fuzz_container_view,
     {"c 195:* rwm\na *:* rwm\nb 8:0 r\n", "2181312 /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.15\n"}}};

} // namespace
} // namespace gpucert
