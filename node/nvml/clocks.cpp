// SPDX-License-Identifier: Apache-2.0
// Queries: clocks and what holds them down: temperature and power.
#include "node/nvml/answer_forms.h"

namespace gpucert {

nvml_queries nvml_clock_queries() {
  using namespace nvml_forms;
  namespace abi = nvml_abi;
  const argument clock{
      "clockType",
      {number_of(abi::clock_type::graphics), number_of(abi::clock_type::sm), number_of(abi::clock_type::memory)}};
  const argument settable_clock{// an application sets these two only
                                "clockType",
                                {number_of(abi::clock_type::graphics), number_of(abi::clock_type::memory)}};
  const argument threshold{
      "thresholdType",
      {number_of(abi::temperature_threshold::shutdown), number_of(abi::temperature_threshold::slowdown),
       number_of(abi::temperature_threshold::memory_max), number_of(abi::temperature_threshold::gpu_max)}};
  return {
      calls(abi::device_clock, argument{"type", clock.numbers}),
      calls(abi::device_max_clock, argument{"type", clock.numbers}),
      calls(abi::device_applications_clock, settable_clock),
      calls(abi::device_default_applications_clock, settable_clock),
      values(abi::device_auto_boost, "isEnabled", "defaultIsEnabled"),
      value(abi::device_event_reasons), // a mask
      value(abi::device_supported_event_reasons),
      value(abi::device_performance_state),
      structure(abi::device_utilization, member{"gpu", &abi::utilization::gpu},
                member{"memory", &abi::utilization::memory}),
      calls(abi::device_temperature, argument{"sensorType", {number_of(abi::temperature_sensor::gpu)}}),
      versioned_structure(abi::device_temperature_v, abi::temperature_reading_tag, // sensorType 0, the GPU
                          member{"sensorType", &abi::temperature_reading::sensor},
                          member{"temperature", &abi::temperature_reading::temperature_celsius}),
      versioned_structure(abi::device_margin_temperature, abi::margin_temperature_tag,
                          member{"marginTemperature", &abi::margin_temperature::margin_celsius}),
      calls(abi::device_temperature_threshold, threshold),
      value(abi::device_power_usage),
      value(abi::device_power_limit),
      value(abi::device_default_power_limit),
      value(abi::device_enforced_power_limit),
      values(abi::device_power_limit_constraints, "minLimit", "maxLimit"),
  };
}

} // namespace gpucert
