// SPDX-License-Identifier: Apache-2.0
#include "node/pci_devices.h"

#include "node/host.h"
#include "node/text_lines.h"

namespace gpucert {
namespace {

constexpr std::string_view devices_folder = "/sys/bus/pci/devices";
constexpr std::string_view nvidia_vendor = "0x10de";

bool is_gpu_class(std::string_view text) { // class, subclass, interface: 0x030000 or 0x030200
  return text.starts_with("0x0300") || text.starts_with("0x0302");
}

/// The last part of the "driver" link. Absent when the device has no such link.
fact<std::string> read_bound_driver(host &node, const std::string &folder) {
  // A capture keeps the link's last part as a file, since links do not travel well.
  if (node.kind() == host_kind::capture)
    return node.read_document("root" + folder + "/driver.txt")
        .then([](const std::string &text) { return std::optional(std::string(trim(text))); }, "is not readable");
  return node.read_document("root" + folder + "/driver.txt", [&]() -> fact<std::string> {
    const std::optional<std::string> target = node.read_link(folder + "/driver");
    if (!target)
      return fact<std::string>::absent(folder + "/driver");
    return fact<std::string>::known(target->substr(target->rfind('/') + 1), folder + "/driver");
  });
}

/// Absent: another device, or one that went away meanwhile. Unknown: it does not say what it is.
fact<pci_gpu> read_gpu(host &node, const std::string &address) {
  const std::string folder = std::string(devices_folder) + "/" + address;
  const fact<std::string> vendor = node.peek_file(folder + "/vendor");
  if (vendor.is_unknown())
    return fact<pci_gpu>::unknown(vendor.source, *vendor.problem);
  if (!vendor.is_known() || trim(*vendor) != nvidia_vendor)
    return fact<pci_gpu>::absent(folder);
  node.read_file(folder + "/vendor"); // a capture keeps NVIDIA's devices only
  const fact<std::string> device_class = node.read_file(folder + "/class");
  if (device_class.is_unknown())
    return fact<pci_gpu>::unknown(device_class.source, *device_class.problem);
  if (!device_class.is_known() || !is_gpu_class(trim(*device_class)))
    return fact<pci_gpu>::absent(folder);
  pci_gpu gpu{address, std::nullopt, read_bound_driver(node, folder)};
  if (const fact<std::string> device = node.read_file(folder + "/device"); device.is_known())
    gpu.device_id = trim(*device);
  return fact<pci_gpu>::known(std::move(gpu), folder);
}

/// "01:00.0" and "0000:01:00.0" name one device.
std::string full_address(std::string_view address) {
  return address.size() == 7 ? "0000:" + std::string(address) : std::string(address);
}

/// By the class that -nn prints: "VGA compatible controller [0300]:". People shorten such lines, so that without a
/// class only what is named as another function of the card is none.
bool is_gpu_line(std::string_view line) {
  if (line.find("[10de:") == line.npos && line.find("NVIDIA") == line.npos)
    return false; // another vendor's, where somebody listed all devices
  if (line.find("[0300]") != line.npos || line.find("[0302]") != line.npos)
    return true;
  for (const std::string_view other : {"[04", "[0c", "[06", "Audio", "USB", "Serial bus", "Bridge", "bridge"})
    if (line.find(other) != line.npos)
      return false;
  return true;
}

/// "[10de:2204]" in the device's line.
std::optional<std::string> device_id_of(std::string_view line) {
  constexpr std::string_view vendor = "[10de:";
  const auto at = line.rfind(vendor);
  if (at == line.npos || line.size() - at < vendor.size() + 4)
    return std::nullopt;
  return "0x" + std::string(line.substr(at + vendor.size(), 4));
}

} // namespace

bool is_passthrough_driver(std::string_view driver) {
  // vfio-pci has variants for single devices (nvgrace_gpu_vfio_pci); pciback is Xen's.
  return driver.find("vfio") != driver.npos || driver == "pci-stub" || driver.ends_with("pciback");
}

bool is_passed_through(const pci_gpu &gpu) {
  return gpu.bound_driver.is_known() && is_passthrough_driver(*gpu.bound_driver);
}

std::vector<pci_gpu> parse_lspci(std::string_view text) {
  constexpr std::string_view in_use = "Kernel driver in use:";
  std::vector<pci_gpu> gpus;
  bool in_gpu = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!line.empty() && !is_blank(line.front())) {
      in_gpu = is_gpu_line(line);
      if (in_gpu) {
        std::string_view rest = line;
        const std::string address = full_address(take_word(rest));
        gpus.push_back({address, device_id_of(line), fact<std::string>::absent("lspci -nnk")});
      }
    } else if (const auto at = line.find(in_use); in_gpu && at != line.npos) {
      gpus.back().bound_driver =
          fact<std::string>::known(std::string(trim(line.substr(at + in_use.size()))), "lspci -nnk");
    }
  }
  return gpus;
}

fact<std::vector<pci_gpu>> read_pci_gpus(host &node) {
  const fact<std::vector<std::string>> addresses = node.list_folder(devices_folder);
  if (addresses.is_known()) {
    std::vector<pci_gpu> gpus;
    for (const std::string &address : *addresses) {
      fact<pci_gpu> gpu = read_gpu(node, address);
      if (gpu.is_unknown()) // a list that may lack one is no list
        return fact<std::vector<pci_gpu>>::unknown(gpu.source, *gpu.problem);
      if (gpu.is_known())
        gpus.push_back(*std::move(gpu.value));
    }
    return fact<std::vector<pci_gpu>>::known(std::move(gpus), std::string(devices_folder));
  }
  if (node.kind() != host_kind::capture)
    return addresses.is_absent() ? fact<std::vector<pci_gpu>>::known({}, std::string(devices_folder)) // no PCI bus
                                 : fact<std::vector<pci_gpu>>::unknown(addresses.source, *addresses.problem);
  const fact<std::string> list = node.read_document("commands/lspci_nnk.txt");
  if (list.is_absent())
    return fact<std::vector<pci_gpu>>::known({}, list.source);
  return list.then([](const std::string &text) { return std::optional(parse_lspci(text)); }, "is not readable");
}

} // namespace gpucert
