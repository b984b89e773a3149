// SPDX-License-Identifier: Apache-2.0
// Check throttling: does a GPU slow itself down to protect itself from heat or from a lack of power? A slowdown by the
// power limit is normal work, and the hardware bit alone comes up for a moment at a change of the performance state.
#include "checks/check.h"
#include "node/evidence.h"

#include <vector>

namespace gpucert {
namespace {

using enum gpu_quantity;

constexpr std::size_t readings_that_persist = 3;

std::vector<std::string_view> protections(long long bits) {
  std::vector<std::string_view> names;
  if (bits & gpu_event_reason::hardware_thermal)
    names.push_back("hardware thermal slowdown");
  if (bits & gpu_event_reason::power_brake)
    names.push_back("power brake");
  if (bits & gpu_event_reason::hardware_slowdown)
    names.push_back("hardware slowdown");
  if (bits & gpu_event_reason::software_thermal)
    names.push_back("software thermal slowdown");
  return names;
}

/// What protects the GPU in all readings, as far as it is a fault.
long long grave_bits(const gpu_statement &reasons) {
  long long bits = reasons.bits_held() & (gpu_event_reason::hardware_thermal | gpu_event_reason::power_brake |
                                          gpu_event_reason::hardware_slowdown | gpu_event_reason::software_thermal);
  const bool persists = reasons.readings.size() >= readings_that_persist;
  const bool has_cause = (bits & (gpu_event_reason::hardware_thermal | gpu_event_reason::power_brake)) != 0;
  const bool is_idle = (reasons.last() & gpu_event_reason::idle) != 0;
  if (!has_cause && !persists && is_idle)
    bits &= ~gpu_event_reason::hardware_slowdown;
  if (!has_cause && !persists && (bits & gpu_event_reason::hardware_slowdown) == 0)
    bits &= ~gpu_event_reason::software_thermal; // short ones are normal under load
  return bits;
}

void add_if_known(finding &found, const gpu_state &gpu, std::initializer_list<gpu_quantity> quantities) {
  for (const gpu_quantity quantity : quantities)
    if (const gpu_statement *statement = gpu.find(quantity))
      found.read_from(statement->source, statement->text);
}

bool judge_reasons(const gpu_state &gpu, judgement &result) {
  const gpu_statement *reasons = gpu.find(event_reasons);
  const long long bits = reasons == nullptr ? 0 : grave_bits(*reasons);
  if (bits == 0)
    return false;
  finding &found = result.add("hw.throttled")
                       .saw("{} is slowed down: {}", gpu.label(), fmt::join(protections(bits), ", "))
                       .expected("no slowdown by the hardware or by heat")
                       .read_from(reasons->source, reasons->text);
  add_if_known(found, gpu, {temperature, temperature_slowdown});
  if (bits & gpu_event_reason::power_brake)
    found.note("The power brake is a signal from outside the board: the power supply or the management controller "
               "pulls it.");
  return true;
}

void judge_temperature(const gpu_state &gpu, gpu_quantity measured, gpu_quantity limit, std::string_view what,
                       judgement &result) {
  const gpu_statement *now = gpu.find(measured);
  const gpu_statement *bound = gpu.find(limit);
  // Boards report 0 or nonsense for limits that they do not have.
  constexpr long long least_limit = 50;
  if (now == nullptr || bound == nullptr || bound->last() < least_limit || now->least() < bound->last())
    return;
  result.add("hw.throttled")
      .saw("{}: {} {} C", gpu.label(), what, now->last())
      .expected("below {} C", bound->last())
      .read_from(now->source, now->text)
      .read_from(bound->source, bound->text);
}

void judge_throttling(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.gpu_states.is_known())
    return; // check gpu_answers says so
  for (const gpu_state &gpu : *node.gpu_states) {
    if (judge_reasons(gpu, result))
      continue;
    judge_temperature(gpu, temperature, temperature_slowdown, "GPU temperature", result);
    judge_temperature(gpu, memory_temperature, memory_temperature_max, "memory temperature", result);
  }
}

const check_registration registration{
    {"throttling", "is a GPU slowed down by heat or by power protection?", false, judge_throttling}};

} // namespace
} // namespace gpucert
