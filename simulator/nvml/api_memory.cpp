// SPDX-License-Identifier: Apache-2.0
// NVML: memory, its errors and repairs, and the numbered fields.
#include "simulator/nvml/replay.h"

#include <iterator>

// NOLINTBEGIN(readability-identifier-naming): the names are NVML's
using namespace gpucert::simulator;
using namespace gpucert::nvml_abi;
using handle = gpucert::nvml_abi::device;

namespace {

/// Fields of the profiles by their numbers in nvml.h.
constexpr struct {
  unsigned id;
  const char *name;
} known_fields[] = {
    {1, "NVML_FI_DEV_ECC_CURRENT"},          {2, "NVML_FI_DEV_ECC_PENDING"},
    {82, "NVML_FI_DEV_MEMORY_TEMP"},         {91, "NVML_FI_DEV_NVLINK_LINK_COUNT"},
    {94, "NVML_FI_DEV_PCIE_REPLAY_COUNTER"}, {142, "NVML_FI_DEV_REMAPPED_COR"},
    {143, "NVML_FI_DEV_REMAPPED_UNC"},       {144, "NVML_FI_DEV_REMAPPED_PENDING"},
    {145, "NVML_FI_DEV_REMAPPED_FAILURE"},   {230, "NVML_FI_DEV_GET_GPU_RECOVERY_ACTION"},
};

void replay_field(handle gpu, field_value &field) {
  field.ret = return_code::not_supported;
  for (const auto &known : known_fields) {
    if (known.id != field.field_id)
      continue;
    const auto answer = find_field(gpu, known.name);
    field.ret = answer.ret;
    if (answer.ret != return_code::success)
      return;
    field.type = value_type::unsigned_int;
    field.number.unsigned_int = answer.content->at("value").get<unsigned>();
  }
}

} // namespace

extern "C" {

return_code nvmlDeviceGetMemoryInfo(handle gpu, memory *out) {
  return replay_members(gpu, "nvmlDeviceGetMemoryInfo", replay_member{"total", &out->total},
                        replay_member{"free", &out->free}, replay_member{"used", &out->used});
}
return_code nvmlDeviceGetBAR1MemoryInfo(handle gpu, bar1_memory *out) {
  return replay_members(gpu, "nvmlDeviceGetBAR1MemoryInfo", replay_member{"bar1Total", &out->total},
                        replay_member{"bar1Free", &out->free}, replay_member{"bar1Used", &out->used});
}
return_code nvmlDeviceGetEccMode(handle gpu, enable_state *current, enable_state *pending) {
  return replay_members(gpu, "nvmlDeviceGetEccMode", replay_member{"current", current},
                        replay_member{"pending", pending});
}
return_code nvmlDeviceGetDefaultEccMode(handle gpu, enable_state *out) {
  return replay_number(gpu, "nvmlDeviceGetDefaultEccMode", out);
}
return_code nvmlDeviceGetTotalEccErrors(handle gpu, unsigned error, unsigned counter, unsigned long long *out) {
  return replay_number(gpu, "nvmlDeviceGetTotalEccErrors", out, {{"errorType", error}, {"counterType", counter}});
}
return_code nvmlDeviceGetRemappedRows(handle gpu, unsigned *correctable, unsigned *uncorrectable, unsigned *is_pending,
                                      unsigned *has_failed) {
  return replay_members(gpu, "nvmlDeviceGetRemappedRows", replay_member{"corrRows", correctable},
                        replay_member{"uncRows", uncorrectable}, replay_member{"isPending", is_pending},
                        replay_member{"failureOccurred", has_failed});
}
return_code nvmlDeviceGetRowRemapperHistogram(handle gpu, row_remapper_histogram *out) {
  return replay_members(gpu, "nvmlDeviceGetRowRemapperHistogram", replay_member{"max", &out->max},
                        replay_member{"high", &out->high}, replay_member{"partial", &out->partial},
                        replay_member{"low", &out->low}, replay_member{"none", &out->none});
}
return_code nvmlDeviceGetRetiredPagesPendingStatus(handle gpu, enable_state *out) {
  return replay_number(gpu, "nvmlDeviceGetRetiredPagesPendingStatus", out);
}
return_code nvmlDeviceGetFieldValues(handle gpu, int count, field_value *fields) {
  for (int i = 0; i < count; ++i)
    replay_field(gpu, fields[i]);
  return return_code::success;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
