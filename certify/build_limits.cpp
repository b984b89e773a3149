// SPDX-License-Identifier: Apache-2.0
#include "certify/build_limits.h"

#include <fmt/format.h>

#include <array>

namespace gpucert {
namespace {

struct toolkit_need {
  int cuda_major;
  int driver_branch;
};

// Minor version compatibility: the oldest branch for any release of a major version, from NVIDIA's CUDA Compatibility
// document.
constexpr std::array<toolkit_need, 3> needs{{{11, 450}, {12, 525}, {13, 580}}};

} // namespace

std::string judged_drivers() {
  for (const toolkit_need &need : needs)
    if (need.cuda_major == build_cuda_version / 1000)
      return fmt::format("{} and newer", need.driver_branch);
  return build_cuda_version == 0 ? "none: built without a CUDA toolkit"
                                 : fmt::format("that CUDA {} supports", build_cuda_version / 1000);
}

} // namespace gpucert
