// SPDX-License-Identifier: Apache-2.0
// Versions that a node states. Each origin has a type of its own, since mixing them up is the fault we look for.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

/// A driver release such as 535.261.03. Compared number by number, so 570.86 < 570.124.
/// A driver release is not a package version: see package_version for epochs and revisions.
class driver_release {
public:
  /// Reads "535.261.03" or "550.120": two or more numbers joined by dots, and nothing else. The "TempVersion" of
  /// development builds is no version.
  static std::optional<driver_release> parse(std::string_view text);

  /// Reads the release that `text` begins with, up to a character that is neither digit nor dot:
  /// "550.54.15-0ubuntu1" and "550.100_k6.9.7_1" give 550.54.15 and 550.100.
  static std::optional<driver_release> parse_prefix(std::string_view text);

  /// As it was written: 535.261.03 keeps its leading zero.
  const std::string &text() const { return text_; }

  /// The branch: 535 of 535.261.03.
  int branch() const { return numbers_.front(); }

  /// True when this is `whole` or its first numbers. NVML states 580.159 for 580.159.03.
  bool is_prefix_of(const driver_release &whole) const;

  friend bool operator==(const driver_release &a, const driver_release &b) { return a.numbers_ == b.numbers_; }
  friend auto operator<=>(const driver_release &a, const driver_release &b) { return a.numbers_ <=> b.numbers_; }

private:
  driver_release() = default;

  std::string text_;
  std::vector<int> numbers_;
};

/// A release with its origin in the type: a kernel_module_version cannot be taken for an nvml_version by accident.
/// Two origins are compared on purpose, through `.release`.
template <class Origin> struct version_of {
  driver_release release;

  const std::string &text() const { return release.text(); }
  friend auto operator<=>(const version_of &, const version_of &) = default;
};

using kernel_module_version = version_of<struct module_in_memory>;
using on_disk_module_version = version_of<struct module_on_disk_file>;
using nvml_version = version_of<struct nvml_library>;
using libcuda_version = version_of<struct libcuda_library>;

/// The version of a distribution's package: epoch, upstream version and revision as its own tools write them.
struct package_version {
  std::string text;
  /// The driver release inside, absent where the package does not carry one ("2.8ubuntu1" has two numbers but is not
  /// of the driver: the name of the package decides, see driver_package.h).
  std::optional<driver_release> release() const;

  friend bool operator==(const package_version &, const package_version &) = default;
};

} // namespace gpucert
