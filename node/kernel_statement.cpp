// SPDX-License-Identifier: Apache-2.0
#include "node/kernel_statement.h"

#include "node/pci_address.h"
#include "node/text_lines.h"

#include <array>

namespace gpucert {
namespace {

/// A wording: both phrases occur, and the message starts as given.
struct wording {
  kernel_topic topic;
  std::string_view start; // "" for any
  std::string_view phrase;
  std::string_view second = "";
};

// The first that fits decides. Wordings of NVRM: kernel-open/nvidia (nv.c, nv-pci.c, osapi.c) and kernel_gsp.c of
// open-gpu-kernel-modules; of the kernel: kernel/module/signing.c and version.c, drivers/pci/pcie/aer.c, mm/oom_kill.c.
constexpr auto wordings = std::to_array<wording>({
    {kernel_topic::nouveau, "nouveau ", ""}, // also its own complaints about firmware
    {kernel_topic::module_loaded, "NVRM", "loading NVIDIA"},
    {kernel_topic::gpu_unsupported_by_open, "NVRM", "is not supported by open"},
    {kernel_topic::gpu_needs_open, "NVRM", "requires use of the NVIDIA open kernel modules"},
    {kernel_topic::gpu_unsupported_by_release, "NVRM", "is not supported by the", "driver release"},
    {kernel_topic::gpu_unsupported_by_release, "NVRM", "supported through the NVIDIA", "Legacy"},
    {kernel_topic::fell_off_bus, "NVRM", "fallen off the bus"},
    {kernel_topic::fell_off_bus, "nvidia 0", "device inaccessible"}, // "Unable to change power state from D3cold to D0"
    {kernel_topic::gsp_firmware_mismatch, "NVRM", "GSP firmware image version mismatch"},
    {kernel_topic::gsp_firmware_mismatch, "NVRM", "version unknown or malformed", "expected version"},
    {kernel_topic::gsp_firmware_load_failed, "nvidia", "firmware", "failed with error"},
    {kernel_topic::gsp_firmware_load_failed, "nvidia", "firmware: failed to load"}, // Debian's kernel
    {kernel_topic::gsp_firmware_load_failed, "", "firmware/nvidia/", "failed with error"},
    {kernel_topic::gsp_firmware_load_failed, "Direct firmware load for nvidia/", "failed with error"},
    {kernel_topic::gsp_firmware_load_failed, "NVRM", "No firmware image found"},
    {kernel_topic::gsp_bad_state, "NVRM", "WPR2 already up"},
    {kernel_topic::gpu_firmware_boot_failed, "NVRM", "GFW_BOOT"},
    {kernel_topic::aux_power_missing, "NVRM", "power cable"},
    {kernel_topic::inforom_problem, "NVRM", "nfoROM", "orrupt"},
    {kernel_topic::inforom_problem, "NVRM", "nforom", "orrupt"},
    {kernel_topic::pci_region_invalid, "NVRM", "assigned to your NVIDIA device", "invalid"},
    {kernel_topic::rm_init_failed, "NVRM", "RmInitAdapter"},
    {kernel_topic::rm_init_failed, "NVRM", "rm_init_adapter failed"},
    {kernel_topic::probe_failed, "NVRM", "probe routine failed for"},
    {kernel_topic::probe_failed, "nvidia", "probe", "failed with error"},
    {kernel_topic::no_device_initialised, "NVRM", "No NVIDIA devices probed"},
    {kernel_topic::no_device_initialised, "NVRM", "None of the NVIDIA devices were initialized"},
    {kernel_topic::no_device_initialised, "NVRM", "No NVIDIA GPU found"},
    {kernel_topic::submodule_version_mismatch, "nvidia", "ersion mismatch"},
    {kernel_topic::submodule_version_mismatch, "[drm", "Version mismatch: nvidia"},
    {kernel_topic::module_vermagic, "nvidia", "version magic '", "should be '"},
    {kernel_topic::module_vermagic, "nvidia", "disagrees about version of symbol"},
    {kernel_topic::module_unknown_symbol, "nvidia", "Unknown symbol"},
    {kernel_topic::module_signature_rejected, "Loading of ", "module", "is rejected"},
    {kernel_topic::module_signature_rejected, "", "unsigned module loading is restricted"},
    {kernel_topic::module_signature_rejected, "", "Key was rejected by service"},
    {kernel_topic::module_signature_untrusted, "", "PKCS#7 signature not signed with a trusted key"},
    {kernel_topic::out_of_memory_killer, "", "invoked oom-killer"},
    {kernel_topic::out_of_memory_killer, "", "ut of memory: Kill"},
    {kernel_topic::out_of_memory_killer, "oom-kill:", ""},
    {kernel_topic::pcie_error_corrected, "", "PCIe Bus Error: severity=Correct"},
    {kernel_topic::pcie_error_uncorrected, "", "PCIe Bus Error: severity=Uncorrect"},
    {kernel_topic::pcie_error_corrected, "", "AER: ", "Correct"},
    {kernel_topic::pcie_error_uncorrected, "", "AER: ", "ncorrect"},
    {kernel_topic::pcie_error_uncorrected, "", "AER: ", "atal error"},
    {kernel_topic::thermal, "", "temperature above threshold"},
    {kernel_topic::thermal, "", "critical temperature reached"},
    {kernel_topic::lockdown, "", "Kernel is locked down"},
    {kernel_topic::lockdown, "Lockdown: ", ""},
    {kernel_topic::secure_boot_enabled, "", "Secure boot enabled"},
});

constexpr auto topic_names = std::to_array<std::pair<kernel_topic, std::string_view>>({
    {kernel_topic::module_loaded, "module loaded"},
    {kernel_topic::module_signature_rejected, "module signature rejected"},
    {kernel_topic::module_signature_untrusted, "module signature of no trusted key"},
    {kernel_topic::module_vermagic, "module of another kernel"},
    {kernel_topic::module_unknown_symbol, "unknown symbol"},
    {kernel_topic::submodule_version_mismatch, "submodule of another release"},
    {kernel_topic::gpu_unsupported_by_open, "GPU not supported by the open flavour"},
    {kernel_topic::gpu_needs_open, "GPU needs the open flavour"},
    {kernel_topic::gpu_unsupported_by_release, "GPU not supported by this release"},
    {kernel_topic::gsp_firmware_mismatch, "GSP firmware of another release"},
    {kernel_topic::gsp_firmware_load_failed, "GSP firmware not loaded"},
    {kernel_topic::gsp_bad_state, "GPU left in a bad state"},
    {kernel_topic::gpu_firmware_boot_failed, "GPU boot firmware failed"},
    {kernel_topic::rm_init_failed, "GPU start failed"},
    {kernel_topic::probe_failed, "probe failed"},
    {kernel_topic::no_device_initialised, "no GPU initialised"},
    {kernel_topic::pci_region_invalid, "invalid PCI region"},
    {kernel_topic::fell_off_bus, "fell off the bus"},
    {kernel_topic::aux_power_missing, "power cable missing"},
    {kernel_topic::inforom_problem, "InfoROM"},
    {kernel_topic::nouveau, "nouveau"},
    {kernel_topic::out_of_memory_killer, "out of memory"},
    {kernel_topic::pcie_error_corrected, "corrected PCIe error"},
    {kernel_topic::pcie_error_uncorrected, "uncorrected PCIe error"},
    {kernel_topic::thermal, "heat"},
    {kernel_topic::lockdown, "lockdown"},
    {kernel_topic::secure_boot_enabled, "Secure Boot"},
});

bool has(std::string_view text, std::string_view phrase) { return text.find(phrase) != text.npos; }

bool fits(const wording &words, std::string_view message) {
  return message.starts_with(words.start) && has(message, words.phrase) && has(message, words.second);
}

/// "AER: Corrected error received: 0000:01:00.0": the port speaks of the device behind it.
std::optional<std::string> address_in(std::string_view message) {
  for (const std::string_view before : {"received: ", "received from "})
    if (const auto at = message.find(before); at != message.npos)
      if (auto address = find_pci_address(message.substr(at)))
        return address;
  return find_pci_address(message);
}

} // namespace

std::string_view to_string(kernel_topic topic) {
  for (const auto &[value, name] : topic_names)
    if (value == topic)
      return name;
  return "unknown";
}

bool spans_lines(std::string_view message) {
  return message.starts_with("NVRM: The NVIDIA ") || message.starts_with("NVRM: API mismatch") ||
         message.starts_with("NVRM: This PCI I/O region");
}

std::optional<kernel_statement> parse_kernel_statement(std::string_view message) {
  for (const wording &words : wordings) {
    if (!fits(words, message))
      continue;
    kernel_statement statement;
    statement.topic = words.topic;
    statement.address = address_in(message);
    statement.text = message;
    return statement;
  }
  return std::nullopt;
}

std::optional<driver_release> release_in(std::string_view text) {
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    while (word.ends_with(',') || word.ends_with('.'))
      word.remove_suffix(1);
    if (auto release = driver_release::parse(word))
      return release;
  }
  return std::nullopt;
}

} // namespace gpucert
