// SPDX-License-Identifier: Apache-2.0
#include "node/driver_libraries.h"
#include "node/driver_package.h"
#include "node/driver_version.h"
#include "node/package_database.h"
#include "node/package_text.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_short_texts(std::string_view input) {
  driver_release::parse(input);
  driver_release::parse_prefix(input);
  parse_package_name(input);
  if (const auto version = parse_package_version(input))
    version->release();
  parse_package_state(input);
  parse_rpm_package(input);
  parse_library_release(input);
}

const fuzz_registration registration{
    {"short_texts",
     {},
     fuzz_short_texts,
     {"535.261.03", "3:580.65.06-1.el9", "libnvidia-compute-535:amd64", "570.133.07-0ubuntu1", "libcuda.so.550.54.15",
      "nvidia-driver-3:580.65.06-1.el9.x86_64"}}};

} // namespace
} // namespace gpucert
