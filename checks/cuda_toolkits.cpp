// SPDX-License-Identifier: Apache-2.0
#include "checks/cuda_toolkits.h"

#include <array>
#include <charconv>

namespace gpucert {
namespace {

// "CUDA Toolkit and Corresponding Driver Versions" (Linux, the first public release of each) of the release notes of
// CUDA 13.1, https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/; 11.0 has the number of its release candidate.
constexpr std::array<cuda_toolkit, 27> toolkits{{
    {8, 0, "375.26"},     {9, 0, "384.81"},     {9, 1, "390.46"},     {9, 2, "396.26"},     {10, 0, "410.48"},
    {10, 1, "418.39"},    {10, 2, "440.33"},    {11, 0, "450.36.06"}, {11, 1, "455.23"},    {11, 2, "460.27.03"},
    {11, 3, "465.19.01"}, {11, 4, "470.42.01"}, {11, 5, "495.29.05"}, {11, 6, "510.39.01"}, {11, 7, "515.43.04"},
    {11, 8, "520.61.05"}, {12, 0, "525.60.13"}, {12, 1, "530.30.02"}, {12, 2, "535.54.03"}, {12, 3, "545.23.06"},
    {12, 4, "550.54.14"}, {12, 5, "555.42.02"}, {12, 6, "560.28.03"}, {12, 8, "570.26"},    {12, 9, "575.51.03"},
    {13, 0, "580.65.06"}, {13, 1, "590.44.01"},
}};

// "CUDA Toolkit and Minimum Required Driver Version for CUDA Minor Version Compatibility" of the same notes.
struct major_version {
  int major;
  std::string_view driver;
};
constexpr std::array<major_version, 3> majors{{{11, "450.80.02"}, {12, "525.60.13"}, {13, "580.65.06"}}};

} // namespace

std::span<const cuda_toolkit> cuda_toolkits() { return toolkits; }

const cuda_toolkit *newest_toolkit_of(const driver_release &release) {
  const cuda_toolkit *newest = nullptr;
  for (const cuda_toolkit &toolkit : cuda_toolkits())
    // A branch supports its CUDA from its first public release on, whatever the last numbers (535.43 is a 535).
    if (const auto needs = driver_release::parse(toolkit.driver); needs && needs->branch() <= release.branch())
      newest = &toolkit;
  return newest;
}

std::optional<driver_release> oldest_driver_for(std::string_view version) {
  int major = 0, minor = 0;
  const auto [stop, error] = std::from_chars(version.data(), version.data() + version.size(), major);
  if (error != std::errc{})
    return std::nullopt;
  if (stop != version.data() + version.size() && *stop == '.')
    std::from_chars(stop + 1, version.data() + version.size(), minor);
  for (const major_version &known : majors)
    if (known.major == major)
      return driver_release::parse(known.driver);
  for (const cuda_toolkit &toolkit : cuda_toolkits())
    if (toolkit.major == major && toolkit.minor == minor)
      return driver_release::parse(toolkit.driver);
  return std::nullopt;
}

} // namespace gpucert
