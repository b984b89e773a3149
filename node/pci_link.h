// SPDX-License-Identifier: Apache-2.0
// The PCIe link of each GPU, as the kernel states it, with what the port above can do: a slot that is narrower than the
// card is no fault.
#pragma once

#include "node/pci_devices.h"
#include "node/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// Lanes and speed in tenths of GT/s (25, 50, 80, 160, 320, 640).
struct link_speed {
  std::optional<int> width;
  std::optional<int> tenth_gt_per_s;
};

struct pci_link {
  std::string address;
  std::string source; // the folder in /sys
  link_speed now;
  link_speed card;                          // at most
  link_speed port;                          // at most, of the port above
  std::optional<long long> fatal_errors;    // AER, since boot
  std::optional<long long> nonfatal_errors; // without unsupported requests, which probing makes on sound links
};

/// "16.0 GT/s PCIe", "8 GT/s"; nothing for "Unknown".
std::optional<int> parse_link_speed(std::string_view text);
/// "16"; nothing for 0 and 255, which stand for unknown.
std::optional<int> parse_link_width(std::string_view text);
/// The sum of the errors in aer_dev_fatal or aer_dev_nonfatal: "Name count" lines, and a total which is not added.
std::optional<long long> parse_aer_counts(std::string_view text);

/// Links of these GPUs; those of which nothing is known are left out.
std::vector<pci_link> read_pci_links(host &node, const fact<std::vector<pci_gpu>> &gpus);

} // namespace gpucert
