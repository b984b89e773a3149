// SPDX-License-Identifier: Apache-2.0
// Check module_load: did the kernel refuse the module, for its signature or since it was built for another kernel?
#include "checks/check.h"
#include "checks/log_evidence.h"
#include "checks/module_claims.h"
#include "node/text_lines.h"

#include <algorithm>
#include <array>

namespace gpucert {
namespace {

struct refusal {
  std::string_view id;
  kernel_topic topic;
  std::string_view saw;
  std::string_view expected;
  std::array<std::string_view, 2> words; // of modprobe
};

constexpr std::array<refusal, 2> refusals{{{"driver.signature-rejected",
                                            kernel_topic::module_signature_rejected,
                                            "the kernel refused the module for its signature",
                                            "a module signed with a key that the firmware knows",
                                            {"Key was rejected by service", "Required key not available"}},
                                           {"driver.vermagic-mismatch",
                                            kernel_topic::module_vermagic,
                                            "the kernel refused a module that was built for another kernel",
                                            "a module built for the running kernel",
                                            {"Exec format error", "Invalid module format"}}}};

std::optional<symptom> words_of_modprobe(const node_evidence &node, const refusal &kind) {
  for (const symptom &seen : node.symptoms)
    for (std::string_view text = seen.text; !text.empty();) {
      const std::string_view line = take_line(text);
      for (const std::string_view words : kind.words)
        if (line.find(words) != line.npos && line.find("nvidia") != line.npos && seen.source.starts_with("symptoms/"))
          return symptom{seen.source, std::string(trim(line))};
    }
  return std::nullopt;
}

void judge_refusal(const node_evidence &node, const refusal &kind, judgement &result) {
  const auto words = words_of_modprobe(node, kind);
  const kernel_statement *logged = nullptr;
  if (node.log.is_known())
    for (const kernel_statement &statement : node.log->statements)
      if (statement.topic == kind.topic)
        logged = &statement;
  if (!words && logged == nullptr)
    return;
  finding &found = result.add(kind.id).saw("{}", kind.saw).expected("{}", kind.expected);
  if (words)
    found.read_from(words->source, words->text);
  if (logged != nullptr)
    found.read_from(node.log.source, line_of(*logged));
  if (node.on_disk.is_secure_boot.is_known())
    found.read_from(node.on_disk.is_secure_boot.source,
                    *node.on_disk.is_secure_boot ? "Secure Boot is on" : "Secure Boot is off");
  if (node.module_on_disk.is_known())
    found.note("The module on disk is {}, and was signed by {}.", node.module_on_disk->version.text(),
               node.module_on_disk->signer.value_or("nobody that it names"));
}

void judge_module_load(const node_evidence &node, const expectations &, judgement &result) {
  // What was refused and is loaded now was mended; the log may also speak of a module that is not the driver's.
  if (node.modules.has("nvidia") == true || node.modules.nvidia.is_known() || node.platform.has_gpu_off_pci())
    return;
  for (const refusal &kind : refusals)
    judge_refusal(node, kind, result);
}

const check_registration registration{
    {"module_load", "did the kernel refuse the module, and why?", false, judge_module_load}};

} // namespace
} // namespace gpucert
