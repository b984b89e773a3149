// SPDX-License-Identifier: Apache-2.0
// Check gpu_settings: modes that wait for a reset on any GPU, and on models for servers what their owners want: ECC on,
// persistence on, full power and clocks. A desktop card without them is in order.
#include "checks/check.h"
#include "node/evidence.h"

namespace gpucert {
namespace {

using enum gpu_quantity;

std::string_view on_or_off(long long mode) { return mode == 0 ? "off" : "on"; }

bool is_for_servers(const gpu_state &gpu) { return gpu.name && is_datacenter_gpu(*gpu.name); }

void add_if_known(finding &found, const gpu_state &gpu, std::initializer_list<gpu_quantity> quantities) {
  for (const gpu_quantity quantity : quantities)
    if (const gpu_statement *statement = gpu.find(quantity))
      found.read_from(statement->source, statement->text);
}

void judge_mig(const gpu_state &gpu, judgement &result) {
  const auto current = gpu.value(mig_mode), pending = gpu.value(mig_mode_pending);
  if (!current || !pending || current == pending)
    return;
  finding &found =
      result.add("mig.mode-pending")
          .saw("{}: MIG is {}, and will be {} after a reset", gpu.label(), on_or_off(*current), on_or_off(*pending))
          .expected("current and pending mode are the same");
  add_if_known(found, gpu, {mig_mode, mig_mode_pending});
}

void judge_ecc(const gpu_state &gpu, judgement &result) {
  const auto current = gpu.value(ecc_mode), pending = gpu.value(ecc_mode_pending);
  const bool differs = current && pending && current != pending;
  const bool should_be_on = gpu.is(ecc_mode_default, 1) || (!gpu.find(ecc_mode_default) && is_for_servers(gpu));
  const bool is_off = current == 0 && should_be_on;
  if (!differs && !is_off)
    return;
  finding &found = differs ? result.add("config.ecc-mode")
                                 .saw("{}: ECC is {}, and will be {} after a reset", gpu.label(), on_or_off(*current),
                                      on_or_off(*pending))
                                 .expected("current and pending mode are the same")
                           : result.add("config.ecc-mode")
                                 .saw("{}: ECC is off", gpu.label())
                                 .expected("on, which is the default of this GPU");
  add_if_known(found, gpu, {ecc_mode, ecc_mode_pending, ecc_mode_default});
}

void judge_limits(const gpu_state &gpu, judgement &result) {
  if (!is_for_servers(gpu))
    return; // laptops and desktops are limited by their owners
  const auto report = [&](gpu_quantity now, gpu_quantity normal, std::string_view what, long long unit,
                          std::string_view unit_name) {
    const auto value = gpu.value(now), wanted = gpu.value(normal);
    if (!value || !wanted || *value / unit >= *wanted / unit)
      return;
    finding &found = result.add("config.clocks-or-power-limited")
                         .saw("{}: {} {} {}", gpu.label(), what, *value / unit, unit_name)
                         .expected("{} {}, the default", *wanted / unit, unit_name);
    add_if_known(found, gpu, {now, normal});
  };
  report(power_limit_enforced, power_limit_default, "power limit", 1000, "W");
  report(application_clock, application_clock_default, "application clock", 1, "MHz");
}

void judge_persistence(const gpu_state &gpu, judgement &result) {
  if (!is_for_servers(gpu) || !gpu.is(persistence_mode, 0))
    return;
  finding &found =
      result.add("config.persistence-off").saw("{}: persistence mode is off", gpu.label()).expected("on, on a server");
  add_if_known(found, gpu, {persistence_mode});
}

void judge_confidential_compute(const node_evidence &node, judgement &result) {
  if (!node.nvml.is_known())
    return;
  constexpr std::string_view state = "nvmlSystemGetConfComputeState", ready = "nvmlSystemGetConfComputeGpusReadyState";
  if (node.nvml->functions.values(state, "ccFeature") != 1 || node.nvml->value(ready) != 0)
    return;
  result.add("config.confidential-compute-not-ready")
      .saw("confidential computing is on, and the GPUs are not ready")
      .expected("GPUs that accept work")
      .read_from(node.nvml.source, fmt::format("{} ccFeature: 1", state))
      .read_from(node.nvml.source, fmt::format("{}: 0", ready));
}

void judge_gpu_settings(const node_evidence &node, const expectations &, judgement &result) {
  judge_confidential_compute(node, result);
  if (!node.gpu_states.is_known())
    return; // check gpu_answers says so
  for (const gpu_state &gpu : *node.gpu_states) {
    judge_mig(gpu, result);
    judge_ecc(gpu, result);
    judge_limits(gpu, result);
    judge_persistence(gpu, result);
  }
}

const check_registration registration{
    {"gpu_settings", "are ECC, MIG, persistence, power and clocks as they should be?", false, judge_gpu_settings}};

} // namespace
} // namespace gpucert
