// SPDX-License-Identifier: Apache-2.0
// The fields asked of nvmlDeviceGetFieldValues. To ask one more, add its line; only fields without a scope fit here.
// Beware of 199, 200 and all from 251 on: the same name has other numbers in CUDA 12.6, 12.9 and 13.0, although nvml.h
// promises that numbers never change. A wrong number gives a wrong fact, so the counters of clock event reasons (251 to
// 253 in 12.9, 269 to 271 in 13.0) are not asked; those of PERF_POLICY say nearly the same.
#include "node/nvml/answer_forms.h"

#include <optional>

namespace gpucert {
namespace {

namespace abi = nvml_abi;

constexpr nvml_field fields[] = {
    {"NVML_FI_DEV_ECC_CURRENT", 1},
    {"NVML_FI_DEV_ECC_PENDING", 2},
    {"NVML_FI_DEV_RETIRED_SBE", 29},
    {"NVML_FI_DEV_RETIRED_DBE", 30},
    {"NVML_FI_DEV_RETIRED_PENDING", 31},
    {"NVML_FI_DEV_REMAPPED_COR", 142},
    {"NVML_FI_DEV_REMAPPED_UNC", 143},
    {"NVML_FI_DEV_REMAPPED_PENDING", 144},
    {"NVML_FI_DEV_REMAPPED_FAILURE", 145},
    {"NVML_FI_DEV_MEMORY_TEMP", 82},
    {"NVML_FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT", 193},
    {"NVML_FI_DEV_TEMPERATURE_SLOWDOWN_TLIMIT", 194},
    {"NVML_FI_DEV_TEMPERATURE_MEM_MAX_TLIMIT", 195},
    {"NVML_FI_DEV_TEMPERATURE_GPU_MAX_TLIMIT", 196},
    {"NVML_FI_DEV_POWER_AVERAGE", 185},
    {"NVML_FI_DEV_POWER_INSTANT", 186},
    {"NVML_FI_DEV_POWER_DEFAULT_LIMIT", 189},
    {"NVML_FI_DEV_POWER_CURRENT_LIMIT", 190},
    {"NVML_FI_DEV_POWER_REQUESTED_LIMIT", 192},
    {"NVML_FI_DEV_PERF_POLICY_POWER", 74},
    {"NVML_FI_DEV_PERF_POLICY_THERMAL", 75},
    {"NVML_FI_DEV_PERF_POLICY_SYNC_BOOST", 76},
    {"NVML_FI_DEV_PERF_POLICY_BOARD_LIMIT", 77},
    {"NVML_FI_DEV_PERF_POLICY_RELIABILITY", 79},
    {"NVML_FI_DEV_PCIE_REPLAY_COUNTER", 94},
    {"NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER", 95},
    {"NVML_FI_DEV_PCIE_L0_TO_RECOVERY_COUNTER", 169},
    {"NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS", 173},
    {"NVML_FI_DEV_PCIE_COUNT_NON_FATAL_ERROR", 179},
    {"NVML_FI_DEV_PCIE_COUNT_FATAL_ERROR", 180},
    {"NVML_FI_DEV_NVLINK_LINK_COUNT", 91},
    {"NVML_FI_DEV_NVSWITCH_CONNECTED_LINK_COUNT", 147},
    {"NVML_FI_DEV_C2C_LINK_COUNT", 170},
    {"NVML_FI_DEV_RESET_STATUS", 226},
    {"NVML_FI_DEV_DRAIN_AND_RESET_STATUS", 227},
    {"NVML_FI_DEV_GET_GPU_RECOVERY_ACTION", 230},
};

std::optional<ordered_json> json_of_number(const abi::field_value &field) {
  switch (field.type) {
  case abi::value_type::floating:
    return field.number.floating;
  case abi::value_type::unsigned_int:
    return field.number.unsigned_int;
  case abi::value_type::unsigned_long:
    return field.number.unsigned_long;
  case abi::value_type::unsigned_long_long:
    return field.number.unsigned_long_long;
  case abi::value_type::signed_long_long:
    return field.number.signed_long_long;
  case abi::value_type::signed_int:
    return field.number.signed_int;
  case abi::value_type::unsigned_short:
    return field.number.unsigned_short;
  }
  return std::nullopt; // a type newer than this list
}

} // namespace

std::span<const nvml_field> nvml_fields() { return fields; }

ordered_json read_nvml_fields(const nvml_scope &scope) {
  ordered_json answers = ordered_json::object();
  const auto field_values = scope.library.find(abi::device_field_values);
  if (!field_values)
    return answers;
  for (const nvml_field &field :
       fields) { // one by one: in a list, a field that the library does not know may spoil all
    abi::field_value asked{};
    asked.field_id = field.id;
    const auto called = field_values->call(scope.device, 1, &asked);
    const auto ret = called == abi::return_code::success ? asked.ret : called;
    ordered_json answer = nvml_forms::answer_of(ret);
    if (ret == abi::return_code::success)
      if (auto number = json_of_number(asked))
        answer["value"] = *std::move(number);
    answers[field.name] = std::move(answer);
  }
  return answers;
}

} // namespace gpucert
