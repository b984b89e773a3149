// SPDX-License-Identifier: Apache-2.0
// Evidence made by hand: a healthy node, of which each test breaks one thing.
#pragma once

#include "checks/check.h"
#include "node/evidence.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

inline driver_release release(std::string_view text) { return driver_release::parse(text).value(); }

inline fact<loaded_module> module_in_proc(std::string_view version) {
  return fact<loaded_module>::known({{release(version)}, module_flavour::proprietary}, "/proc/driver/nvidia/version");
}

inline fact<module_file> module_file_of(std::string_view version) {
  return fact<module_file>::known({{release(version)}, "/lib/modules/6.8.0/updates/dkms/nvidia.ko", {}, {}},
                                  "modinfo nvidia");
}

inline driver_library library(std::string_view soname, std::string_view version,
                              std::string_view folder = "/usr/lib/x86_64-linux-gnu") {
  const std::string_view stem = soname.substr(0, soname.find(".so"));
  return {std::string(soname), fmt::format("{}/{}", folder, soname), fmt::format("{}/{}.so.{}", folder, stem, version),
          driver_release::parse(version), false};
}

inline fact<std::vector<driver_library>> libraries_of(std::string_view version) {
  return fact<std::vector<driver_library>>::known(
      {library("libcuda.so.1", version), library("libnvidia-ml.so.1", version)}, "/etc/ld.so.cache");
}

inline installed_package package(std::string_view name, std::string_view version,
                                 package_state state = package_state::installed) {
  installed_package made;
  made.name = name;
  made.version = package_version{std::string(version)};
  made.state = state;
  return made;
}

inline fact<std::vector<installed_package>> packages_are(std::vector<installed_package> list) {
  return fact<std::vector<installed_package>>::known(std::move(list), "/var/lib/dpkg/status");
}

inline pci_gpu gpu(std::string_view address, std::string_view driver = "nvidia") {
  const std::string source = fmt::format("/sys/bus/pci/devices/{}/driver", address);
  return {std::string(address), "0x20b5",
          driver.empty() ? fact<std::string>::absent(source) : fact<std::string>::known(std::string(driver), source)};
}

inline fact<std::vector<pci_gpu>> gpus_are(std::vector<pci_gpu> list) {
  return fact<std::vector<pci_gpu>>::known(std::move(list), "/sys/bus/pci/devices");
}

inline fact<std::vector<device_file>> files_are(const std::vector<std::string> &paths) {
  std::vector<device_file> files;
  for (const std::string &path : paths)
    files.push_back({path, {}, {}, {}});
  return fact<std::vector<device_file>>::known(std::move(files), "/dev");
}

inline fact<std::vector<std::string>> loaded_are(std::vector<std::string> names) {
  return fact<std::vector<std::string>>::known(std::move(names), "/proc/modules");
}

inline fact<nvml_record> nvml_counts(int gpus) {
  return fact<nvml_record>::known(
      parse_nvml_record(fmt::format(R"({{"schema": "gpucert-nvml-replay-1", "functions": {{"nvmlInit_v2": {{"ret": 0}},
                                        "nvmlDeviceGetCount_v2": {{"ret": 0, "value": {}}}}}, "devices": []}})",
                                    gpus))
          .record.value(),
      "nvml.json");
}

inline fact<nvml_record> nvml_fails_with(int ret) {
  return fact<nvml_record>::known(
      parse_nvml_record(
          fmt::format(
              R"({{"schema": "gpucert-nvml-replay-1", "functions": {{"nvmlInit_v2": {{"ret": {}}}}}, "devices": []}})",
              ret))
          .record.value(),
      "nvml.json");
}

inline api_mismatch mismatch(std::string_view client, std::string_view module) {
  return {release(client), {release(module)}, {}, {}, {}, {}};
}

inline fact<kernel_log> log_of(std::vector<api_mismatch> mismatches, std::vector<other_driver_report> others = {}) {
  return fact<kernel_log>::known({std::move(mismatches), std::move(others), {}, {}, {}, {}}, "kernel log");
}

/// One run of apt that moved libnvidia-compute.
inline package_transaction apt_moved(std::string_view before, std::string_view after,
                                     std::string_view command_line = "/usr/bin/unattended-upgrade") {
  package_transaction run;
  run.source = "/var/log/apt/history.log";
  run.start = parse_log_time("2024-06-12  06:41:03");
  run.command_line = command_line;
  run.outcome = transaction_outcome::finished;
  const auto version = [](std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(package_version{fmt::format("{}-0ubuntu1", text)});
  };
  run.changes.push_back({package_action::upgrade, "libnvidia-compute-550", "amd64", version(before), version(after)});
  return run;
}

inline fact<std::vector<package_transaction>> history_is(std::vector<package_transaction> runs) {
  return fact<std::vector<package_transaction>>::known(std::move(runs), "package logs");
}

template <class Value> fact<Value> nobody_knows() { return fact<Value>::unknown("somewhere", "not in the capture"); }

/// One GPU, one release everywhere, quiet logs.
inline node_evidence healthy_node(std::string_view version = "550.54.15") {
  node_evidence node;
  node.kernel_release = fact<std::string>::known("6.8.0", "/proc/sys/kernel/osrelease");
  node.platform.distribution = "Ubuntu 22.04";
  node.modules.nvidia = module_in_proc(version);
  node.modules.names = loaded_are({"nvidia", "nvidia_uvm"});
  for (const char *name : {"nvidia", "nvidia_uvm"})
    node.modules.versions.emplace(name, fact<kernel_module_version>::known({release(version)}, "/sys/module"));
  node.module_on_disk = module_file_of(version);
  node.libraries = libraries_of(version);
  node.packages = packages_are({package("libnvidia-compute-550", fmt::format("{}-0ubuntu1", version))});
  node.history = history_is({});
  node.log = log_of({});
  node.gpus = gpus_are({gpu("0000:01:00.0")});
  node.device_files = files_are({"/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"});
  node.nvml = nvml_counts(1);
  node.on_disk.next = next_kernel{"6.8.0", "/boot", "the only kernel"};
  node.on_disk.next_module = node.module_on_disk;
  node.gpu_states = fact<std::vector<gpu_state>>::absent("nvml.json");
  return node;
}

/// A machine that never had an NVIDIA GPU or driver.
inline node_evidence node_without_gpu() {
  node_evidence node = healthy_node();
  node.modules = {};
  node.modules.nvidia = fact<loaded_module>::absent("/proc/driver/nvidia/version");
  node.modules.names = loaded_are({"ext4"});
  node.module_on_disk = fact<module_file>::absent("modinfo nvidia");
  node.libraries = fact<std::vector<driver_library>>::known({}, "/etc/ld.so.cache");
  node.packages = packages_are({package("bash", "5.1-6ubuntu1")});
  node.gpus = gpus_are({});
  node.device_files = files_are({});
  node.nvml = nvml_fails_with(12);
  return node;
}

inline judgement judge(std::string_view check_name, const node_evidence &node, const expectations &expected = {}) {
  for (const check &unit : all_checks())
    if (unit.name == check_name) {
      judgement result;
      unit.judge(node, expected, result);
      return result;
    }
  throw std::logic_error(fmt::format("no check {}", check_name));
}

/// Ids of findings, then "? what" for each fact that the check lacks.
inline std::vector<std::string> in_words(const judgement &result) {
  std::vector<std::string> words;
  for (const finding &found : result.findings())
    words.push_back(found.id());
  for (const unknown_fact &unknown : result.unknown())
    words.push_back(fmt::format("? {}", unknown.what));
  return words;
}

/// A person can act only on a finding that says what was seen, what was expected, and where.
inline bool is_complete(const finding &found) {
  if (found.saw().empty() || found.expected().empty() || found.evidence().empty())
    return false;
  for (const evidence_item &item : found.evidence())
    if (item.source.empty())
      return false;
  return true;
}

} // namespace gpucert
