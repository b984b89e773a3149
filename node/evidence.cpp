// SPDX-License-Identifier: Apache-2.0
#include "node/evidence.h"

#include "node/command.h"
#include "node/host.h"
#include "node/package_reading.h"
#include "node/text_lines.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace gpucert {
namespace {

// Documents of a capture that hold words of tools, beside all of symptoms/.
constexpr std::array<std::string_view, 2> tool_outputs{"commands/nvidia_smi.txt", "commands/nvidia_smi_l.txt"};

fact<std::string> read_kernel_release(host &node) {
  fact<std::string> text = node.read_file("/proc/sys/kernel/osrelease");
  if (text.is_unknown() && node.kind() == host_kind::capture)
    text = node.read_document("commands/uname_r.txt");
  return text.then([](const std::string &line) { return std::optional(std::string(trim(line))); }, "is empty");
}

/// NVML talks to the driver, which may hang; so a process of its own asks it.
fact<std::string> ask_nvml(host &node, const evidence_depth &depth) {
  constexpr std::chrono::milliseconds deadline{5000};
  if (!node.is_live())
    return fact<std::string>::unknown("NVML", "a tree cannot be asked");
  if (!depth.is_deep)
    return fact<std::string>::unknown("NVML", "needs --deep");
  const command_result result = run_command({{depth.nvml_program}, {}, std::min(deadline, node.time_left())});
  if (!result.succeeded())
    return fact<std::string>::unknown("NVML", "gpucert-nvml " + result.how_it_ended());
  return fact<std::string>::known(result.output, "NVML");
}

fact<nvml_record> read_nvml(host &node, const evidence_depth &depth) {
  const fact<std::string> text = node.read_document("nvml.json", [&] { return ask_nvml(node, depth); });
  if (!text.is_known())
    return text.then([](const std::string &) { return std::optional<nvml_record>(); }, "");
  nvml_parse_result parsed = parse_nvml_record(*text);
  if (!parsed.record)
    return fact<nvml_record>::unknown(text.source, parsed.error);
  return fact<nvml_record>::known(*std::move(parsed.record), text.source);
}

/// Where dates without a year belong: the last change of a package, else now.
std::chrono::local_seconds time_of_logs(const fact<std::vector<package_transaction>> &history) {
  if (history.is_known())
    for (auto transaction = history->rbegin(); transaction != history->rend(); ++transaction)
      if (transaction->start)
        return transaction->start->local;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return std::chrono::local_seconds{now.time_since_epoch()};
}

std::vector<symptom> read_symptoms(host &node) {
  std::vector<std::string> names = node.documents("symptoms");
  names.insert(names.begin(), tool_outputs.begin(), tool_outputs.end());
  std::vector<symptom> symptoms;
  if (node.kind() == host_kind::capture)
    for (const std::string &name : names)
      if (fact<std::string> text = node.read_document(name); text.is_known())
        symptoms.push_back({name, *std::move(text.value)});
  return symptoms;
}

/// What programs said, in symptoms and in the logs of services. What a person typed is no message.
std::vector<reported_message> read_messages(host &node, const std::vector<symptom> &symptoms) {
  std::vector<reported_message> messages;
  for (const symptom &seen : symptoms)
    if (seen.source != "symptoms/install_commands.txt")
      find_reported_messages(seen.source, seen.text, messages);
  if (node.kind() == host_kind::capture)
    for (const char *name :
         {"commands/journal_fabricmanager.txt", "commands/systemctl_status_fabricmanager.txt", "commands/journal.txt"})
      if (const fact<std::string> text = node.read_document(name); text.is_known())
        find_reported_messages(name, *text, messages);
  constexpr std::size_t most_of_log = std::size_t{4} << 20;
  constexpr std::string_view fabric_log = "/var/log/fabricmanager.log";
  if (const fact<std::string> text = node.read_file(fabric_log, most_of_log); text.is_known())
    find_reported_messages(fabric_log, *text, messages);
  return messages;
}

} // namespace

node_evidence read_evidence(host &node, const evidence_depth &depth) {
  node_evidence evidence;
  evidence.kernel_release = read_kernel_release(node);
  evidence.modules = read_loaded_modules(node);
  evidence.platform = read_platform(node, evidence.kernel_release, evidence.modules);
  evidence.module_on_disk = read_module_on_disk(node, evidence.kernel_release);
  evidence.libraries = read_driver_libraries(node);
  evidence.packages = read_packages(node, depth.is_deep);
  evidence.on_disk = read_modules_on_disk(node, evidence.kernel_release, evidence.module_on_disk, evidence.packages);
  evidence.history = read_package_history(node);
  evidence.old_packages = read_old_packages(node, evidence.history, depth.is_deep);
  evidence.installer = read_run_installer(node);
  evidence.nouveau_is_blacklisted = read_nouveau_blacklist(node);
  evidence.update_policy = read_update_policy(node);
  evidence.sessions = read_sessions(node, time_of_logs(evidence.history));
  evidence.log = read_kernel_log(node, depth.is_deep);
  evidence.gsp = read_gsp_firmware(node);
  evidence.gpus = read_pci_gpus(node);
  evidence.pci_links = read_pci_links(node, evidence.gpus);
  evidence.device_files = read_device_files(node);
  evidence.nvml = read_nvml(node, depth);
  evidence.gpu_states = read_gpu_states(node, evidence.nvml);
  evidence.userspace = read_userspace_evidence(node, evidence.libraries, depth.is_deep);
  evidence.symptoms = read_symptoms(node);
  evidence.messages = read_messages(node, evidence.symptoms);
  evidence.hung_reads = node.hung_reads();
  return evidence;
}

} // namespace gpucert
