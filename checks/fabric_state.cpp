// SPDX-License-Identifier: Apache-2.0
// Check fabric_state: are the GPUs of an NVSwitch system registered with their fabric, and is it sound? Without that
// CUDA fails with error 802 although driver and GPUs are in order. GPUs without a fabric say "not supported".
#include "checks/check.h"
#include "node/evidence.h"

#include <optional>

namespace gpucert {
namespace {

using enum gpu_quantity;

constexpr int not_started = 1, in_progress = 2, completed = 3;

/// NVML_GPU_FABRIC_HEALTH_MASK_*: two bits each, 1 for true. Recovery under way is no fault yet.
std::optional<std::string_view> fault_in_mask(long long mask) {
  const auto is_true = [&](int shift) { return ((mask >> shift) & 3) == 1; };
  constexpr int degraded_bandwidth = 0, route_unhealthy = 4, configuration = 8;
  if (is_true(route_unhealthy))
    return "a route is unhealthy";
  if (is_true(degraded_bandwidth))
    return "the bandwidth is degraded";
  if (((mask >> configuration) & 0xf) > 1) // 0 not supported, 1 correct
    return "the configuration is incorrect";
  return std::nullopt;
}

std::optional<std::string> fault_of(const gpu_state &gpu) {
  const auto state = gpu.value(fabric_state);
  if (state == not_started)
    return "registration with the fabric has not started";
  if (state == in_progress)
    return "registration with the fabric is not complete";
  if (state != completed)
    return std::nullopt;
  if (const long long status = gpu.value(fabric_status).value_or(0); status != 0)
    return fmt::format("registration with the fabric failed: {}", nvml_return_name(static_cast<int>(status)));
  if (const auto fault = fault_in_mask(gpu.value(fabric_health_mask).value_or(0)))
    return std::string(*fault);
  constexpr int unhealthy = 2;
  if (gpu.is(fabric_health_summary, unhealthy))
    return "the fabric calls itself unhealthy";
  return std::nullopt;
}

void judge_fabric_state(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.gpu_states.is_known())
    return; // check gpu_answers says so
  for (const gpu_state &gpu : *node.gpu_states) {
    const auto fault = fault_of(gpu);
    if (!fault)
      continue;
    finding &found = result.add("fabric.state-not-ready")
                         .saw("{}: {}", gpu.label(), *fault)
                         .expected("registration completed with success, and a healthy fabric");
    for (const gpu_quantity quantity : {fabric_state, fabric_status, fabric_health_mask, fabric_health_summary})
      if (const gpu_statement *statement = gpu.find(quantity))
        found.read_from(statement->source, statement->text);
    if (gpu.is(fabric_state, in_progress))
      found.note("In the first minutes after a boot this is normal: check again.");
  }
}

const check_registration registration{
    {"fabric_state", "are the GPUs registered with a sound NVLink fabric?", false, judge_fabric_state}};

} // namespace
} // namespace gpucert
