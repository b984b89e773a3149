// SPDX-License-Identifier: Apache-2.0
// Compares numbers and structures of node/nvml/abi.h, and the field numbers of node/nvml/fields.cpp, with the real
// nvml.h. See abi_test.cpp.
#ifdef GPUCERT_HAVE_NVML_H
#include "node/nvml/abi.h"
#include "node/nvml/query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <map>
#include <nvml.h>
#include <string>

namespace gpucert {
namespace {

namespace abi = nvml_abi;

#define GPUCERT_SAME_NUMBER(real, ours) EXPECT_EQ(static_cast<unsigned>(real), static_cast<unsigned>(ours)) << #real

TEST(nvml_abi, return_codes_are_those_of_nvml_h) {
  using abi::return_code;
  GPUCERT_SAME_NUMBER(NVML_SUCCESS, return_code::success);
  GPUCERT_SAME_NUMBER(NVML_ERROR_UNINITIALIZED, return_code::uninitialized);
  GPUCERT_SAME_NUMBER(NVML_ERROR_INVALID_ARGUMENT, return_code::invalid_argument);
  GPUCERT_SAME_NUMBER(NVML_ERROR_NOT_SUPPORTED, return_code::not_supported);
  GPUCERT_SAME_NUMBER(NVML_ERROR_INSUFFICIENT_SIZE, return_code::insufficient_size);
  GPUCERT_SAME_NUMBER(NVML_ERROR_DRIVER_NOT_LOADED, return_code::driver_not_loaded);
  GPUCERT_SAME_NUMBER(NVML_ERROR_LIBRARY_NOT_FOUND, return_code::library_not_found);
  GPUCERT_SAME_NUMBER(NVML_ERROR_FUNCTION_NOT_FOUND, return_code::function_not_found);
  GPUCERT_SAME_NUMBER(NVML_ERROR_LIB_RM_VERSION_MISMATCH, return_code::lib_rm_version_mismatch);
  GPUCERT_SAME_NUMBER(NVML_ERROR_ARGUMENT_VERSION_MISMATCH, return_code::argument_version_mismatch);
  GPUCERT_SAME_NUMBER(NVML_ERROR_UNKNOWN, return_code::unknown);
}

TEST(nvml_abi, arguments_and_lengths_are_those_of_nvml_h) {
  GPUCERT_SAME_NUMBER(NVML_MEMORY_ERROR_TYPE_CORRECTED, abi::memory_error::corrected);
  GPUCERT_SAME_NUMBER(NVML_MEMORY_ERROR_TYPE_UNCORRECTED, abi::memory_error::uncorrected);
  GPUCERT_SAME_NUMBER(NVML_VOLATILE_ECC, abi::ecc_counter::since_driver_load);
  GPUCERT_SAME_NUMBER(NVML_AGGREGATE_ECC, abi::ecc_counter::lifetime);
  GPUCERT_SAME_NUMBER(NVML_MEMORY_LOCATION_DRAM, abi::memory_location::dram);
  GPUCERT_SAME_NUMBER(NVML_MEMORY_LOCATION_SRAM, abi::memory_location::sram);
  GPUCERT_SAME_NUMBER(NVML_TEMPERATURE_GPU, abi::temperature_sensor::gpu);
  GPUCERT_SAME_NUMBER(NVML_TEMPERATURE_THRESHOLD_SHUTDOWN, abi::temperature_threshold::shutdown);
  GPUCERT_SAME_NUMBER(NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, abi::temperature_threshold::slowdown);
  GPUCERT_SAME_NUMBER(NVML_TEMPERATURE_THRESHOLD_MEM_MAX, abi::temperature_threshold::memory_max);
  GPUCERT_SAME_NUMBER(NVML_TEMPERATURE_THRESHOLD_GPU_MAX, abi::temperature_threshold::gpu_max);
  GPUCERT_SAME_NUMBER(NVML_CLOCK_GRAPHICS, abi::clock_type::graphics);
  GPUCERT_SAME_NUMBER(NVML_CLOCK_SM, abi::clock_type::sm);
  GPUCERT_SAME_NUMBER(NVML_CLOCK_MEM, abi::clock_type::memory);
  GPUCERT_SAME_NUMBER(NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS,
                      abi::retirement_cause::single_bit_errors);
  GPUCERT_SAME_NUMBER(NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR, abi::retirement_cause::double_bit_error);
  GPUCERT_SAME_NUMBER(NVML_NVLINK_ERROR_DL_REPLAY, abi::nvlink_error::replay);
  GPUCERT_SAME_NUMBER(NVML_NVLINK_ERROR_DL_RECOVERY, abi::nvlink_error::recovery);
  GPUCERT_SAME_NUMBER(NVML_NVLINK_ERROR_DL_CRC_FLIT, abi::nvlink_error::crc_flit);
  GPUCERT_SAME_NUMBER(NVML_NVLINK_ERROR_DL_CRC_DATA, abi::nvlink_error::crc_data);
  GPUCERT_SAME_NUMBER(NVML_NVLINK_ERROR_DL_ECC_DATA, abi::nvlink_error::ecc_data);
  GPUCERT_SAME_NUMBER(NVML_VALUE_TYPE_DOUBLE, abi::value_type::floating);
  GPUCERT_SAME_NUMBER(NVML_VALUE_TYPE_UNSIGNED_INT, abi::value_type::unsigned_int);
  GPUCERT_SAME_NUMBER(NVML_VALUE_TYPE_UNSIGNED_LONG, abi::value_type::unsigned_long);
  GPUCERT_SAME_NUMBER(NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, abi::value_type::unsigned_long_long);
  GPUCERT_SAME_NUMBER(NVML_VALUE_TYPE_SIGNED_LONG_LONG, abi::value_type::signed_long_long);
#ifdef NVML_FI_DEV_GET_GPU_RECOVERY_ACTION // the two value types came before it, after CUDA 11.8
  GPUCERT_SAME_NUMBER(NVML_VALUE_TYPE_SIGNED_INT, abi::value_type::signed_int);
  GPUCERT_SAME_NUMBER(NVML_VALUE_TYPE_UNSIGNED_SHORT, abi::value_type::unsigned_short);
#endif
  GPUCERT_SAME_NUMBER(NVML_NVLINK_MAX_LINKS, abi::nvlink_max_links);
  GPUCERT_SAME_NUMBER(NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE, abi::driver_version_length);
  GPUCERT_SAME_NUMBER(NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE, abi::nvml_version_length);
  GPUCERT_SAME_NUMBER(NVML_DEVICE_NAME_V2_BUFFER_SIZE, abi::name_length);
  GPUCERT_SAME_NUMBER(NVML_DEVICE_UUID_V2_BUFFER_SIZE, abi::uuid_length);
  GPUCERT_SAME_NUMBER(NVML_DEVICE_PART_NUMBER_BUFFER_SIZE, abi::part_number_length);
  GPUCERT_SAME_NUMBER(NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE, abi::vbios_version_length);
  GPUCERT_SAME_NUMBER(NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE, abi::inforom_version_length);
  GPUCERT_SAME_NUMBER(NVML_GSP_FIRMWARE_VERSION_BUF_SIZE, abi::gsp_version_length);
}

#define GPUCERT_SAME_MEMBER(real, real_member, ours, our_member)                                                       \
  EXPECT_EQ(offsetof(real, real_member), offsetof(ours, our_member)) << #real "." #real_member;                        \
  EXPECT_EQ(sizeof(real::real_member), sizeof(ours::our_member)) << #real "." #real_member

TEST(nvml_abi, pci_and_processes_are_laid_out_as_in_nvml_h) {
  EXPECT_EQ(sizeof(nvmlPciInfo_t), sizeof(abi::pci_info));
  GPUCERT_SAME_MEMBER(nvmlPciInfo_t, busIdLegacy, abi::pci_info, bus_id_legacy);
  GPUCERT_SAME_MEMBER(nvmlPciInfo_t, domain, abi::pci_info, domain);
  GPUCERT_SAME_MEMBER(nvmlPciInfo_t, bus, abi::pci_info, bus);
  GPUCERT_SAME_MEMBER(nvmlPciInfo_t, device, abi::pci_info, device);
  GPUCERT_SAME_MEMBER(nvmlPciInfo_t, pciDeviceId, abi::pci_info, pci_device_id);
  GPUCERT_SAME_MEMBER(nvmlPciInfo_t, pciSubSystemId, abi::pci_info, pci_sub_system_id);
  GPUCERT_SAME_MEMBER(nvmlPciInfo_t, busId, abi::pci_info, bus_id);
  EXPECT_EQ(sizeof(nvmlProcessInfo_t), sizeof(abi::process_info));
  GPUCERT_SAME_MEMBER(nvmlProcessInfo_t, pid, abi::process_info, pid);
  GPUCERT_SAME_MEMBER(nvmlProcessInfo_t, usedGpuMemory, abi::process_info, used_gpu_memory);
  GPUCERT_SAME_MEMBER(nvmlProcessInfo_t, gpuInstanceId, abi::process_info, gpu_instance_id);
  GPUCERT_SAME_MEMBER(nvmlProcessInfo_t, computeInstanceId, abi::process_info, compute_instance_id);
  EXPECT_EQ(sizeof(nvmlUtilization_t), sizeof(abi::utilization));
  GPUCERT_SAME_MEMBER(nvmlUtilization_t, gpu, abi::utilization, gpu);
  GPUCERT_SAME_MEMBER(nvmlUtilization_t, memory, abi::utilization, memory);
}

TEST(nvml_abi, memory_is_laid_out_as_in_nvml_h) {
  EXPECT_EQ(sizeof(nvmlMemory_t), sizeof(abi::memory));
  GPUCERT_SAME_MEMBER(nvmlMemory_t, total, abi::memory, total);
  GPUCERT_SAME_MEMBER(nvmlMemory_t, free, abi::memory, free);
  GPUCERT_SAME_MEMBER(nvmlMemory_t, used, abi::memory, used);
  GPUCERT_SAME_NUMBER(nvmlMemory_v2, abi::memory_v2_tag);
  GPUCERT_SAME_MEMBER(nvmlMemory_v2_t, version, abi::memory_v2, version);
  GPUCERT_SAME_MEMBER(nvmlMemory_v2_t, total, abi::memory_v2, total);
  GPUCERT_SAME_MEMBER(nvmlMemory_v2_t, reserved, abi::memory_v2, reserved);
  GPUCERT_SAME_MEMBER(nvmlMemory_v2_t, free, abi::memory_v2, free);
  GPUCERT_SAME_MEMBER(nvmlMemory_v2_t, used, abi::memory_v2, used);
  EXPECT_EQ(sizeof(nvmlBAR1Memory_t), sizeof(abi::bar1_memory));
  GPUCERT_SAME_MEMBER(nvmlBAR1Memory_t, bar1Total, abi::bar1_memory, total);
  GPUCERT_SAME_MEMBER(nvmlBAR1Memory_t, bar1Free, abi::bar1_memory, free);
  GPUCERT_SAME_MEMBER(nvmlBAR1Memory_t, bar1Used, abi::bar1_memory, used);
  using histogram = nvmlRowRemapperHistogramValues_t;
  EXPECT_EQ(sizeof(histogram), sizeof(abi::row_remapper_histogram));
  GPUCERT_SAME_MEMBER(histogram, max, abi::row_remapper_histogram, max);
  GPUCERT_SAME_MEMBER(histogram, high, abi::row_remapper_histogram, high);
  GPUCERT_SAME_MEMBER(histogram, partial, abi::row_remapper_histogram, partial);
  GPUCERT_SAME_MEMBER(histogram, low, abi::row_remapper_histogram, low);
  GPUCERT_SAME_MEMBER(histogram, none, abi::row_remapper_histogram, none);
}

TEST(nvml_abi, sram_status_is_laid_out_as_in_nvml_h) {
#ifdef nvmlEccSramErrorStatus_v1
  using real = nvmlEccSramErrorStatus_v1_t;
  using ours = abi::sram_ecc_status;
  GPUCERT_SAME_NUMBER(nvmlEccSramErrorStatus_v1, abi::sram_ecc_status_tag);
  GPUCERT_SAME_MEMBER(real, version, ours, version);
  GPUCERT_SAME_MEMBER(real, aggregateUncParity, ours, aggregate_unc_parity);
  GPUCERT_SAME_MEMBER(real, aggregateUncSecDed, ours, aggregate_unc_sec_ded);
  GPUCERT_SAME_MEMBER(real, aggregateCor, ours, aggregate_cor);
  GPUCERT_SAME_MEMBER(real, volatileUncParity, ours, volatile_unc_parity);
  GPUCERT_SAME_MEMBER(real, volatileUncSecDed, ours, volatile_unc_sec_ded);
  GPUCERT_SAME_MEMBER(real, volatileCor, ours, volatile_cor);
  GPUCERT_SAME_MEMBER(real, aggregateUncBucketL2, ours, aggregate_unc_bucket_l2);
  GPUCERT_SAME_MEMBER(real, aggregateUncBucketSm, ours, aggregate_unc_bucket_sm);
  GPUCERT_SAME_MEMBER(real, aggregateUncBucketPcie, ours, aggregate_unc_bucket_pcie);
  GPUCERT_SAME_MEMBER(real, aggregateUncBucketMcu, ours, aggregate_unc_bucket_mcu);
  GPUCERT_SAME_MEMBER(real, aggregateUncBucketOther, ours, aggregate_unc_bucket_other);
  GPUCERT_SAME_MEMBER(real, bThresholdExceeded, ours, threshold_exceeded);
#else
  GTEST_SKIP() << "this nvml.h has no nvmlEccSramErrorStatus_v1";
#endif
}

TEST(nvml_abi, temperatures_are_laid_out_as_in_nvml_h) {
#if defined(nvmlTemperature_v1) && defined(nvmlMarginTemperature_v1)
  GPUCERT_SAME_NUMBER(nvmlTemperature_v1, abi::temperature_reading_tag);
  GPUCERT_SAME_MEMBER(nvmlTemperature_v1_t, version, abi::temperature_reading, version);
  GPUCERT_SAME_MEMBER(nvmlTemperature_v1_t, sensorType, abi::temperature_reading, sensor);
  GPUCERT_SAME_MEMBER(nvmlTemperature_v1_t, temperature, abi::temperature_reading, temperature_celsius);
  GPUCERT_SAME_NUMBER(nvmlMarginTemperature_v1, abi::margin_temperature_tag);
  GPUCERT_SAME_MEMBER(nvmlMarginTemperature_v1_t, version, abi::margin_temperature, version);
  GPUCERT_SAME_MEMBER(nvmlMarginTemperature_v1_t, marginTemperature, abi::margin_temperature, margin_celsius);
#else
  GTEST_SKIP() << "this nvml.h has no nvmlTemperature_v1 or no nvmlMarginTemperature_v1";
#endif
}

TEST(nvml_abi, fabric_is_laid_out_as_in_nvml_h) {
#ifdef nvmlGpuFabricInfo_v3
  EXPECT_EQ(sizeof(nvmlGpuFabricInfo_t), sizeof(abi::fabric_info));
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_t, clusterUuid, abi::fabric_info, cluster_uuid);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_t, status, abi::fabric_info, status);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_t, cliqueId, abi::fabric_info, clique_id);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_t, state, abi::fabric_info, state);
  GPUCERT_SAME_NUMBER(nvmlGpuFabricInfo_v2, abi::fabric_info_v2_tag);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v2_t, version, abi::fabric_info_v2, version);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v2_t, clusterUuid, abi::fabric_info_v2, cluster_uuid);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v2_t, status, abi::fabric_info_v2, status);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v2_t, cliqueId, abi::fabric_info_v2, clique_id);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v2_t, state, abi::fabric_info_v2, state);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v2_t, healthMask, abi::fabric_info_v2, health_mask);
  GPUCERT_SAME_NUMBER(nvmlGpuFabricInfo_v3, abi::fabric_info_v3_tag);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v3_t, version, abi::fabric_info_v3, version);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v3_t, clusterUuid, abi::fabric_info_v3, cluster_uuid);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v3_t, status, abi::fabric_info_v3, status);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v3_t, cliqueId, abi::fabric_info_v3, clique_id);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v3_t, state, abi::fabric_info_v3, state);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v3_t, healthMask, abi::fabric_info_v3, health_mask);
  GPUCERT_SAME_MEMBER(nvmlGpuFabricInfo_v3_t, healthSummary, abi::fabric_info_v3, health_summary);
#else
  GTEST_SKIP() << "this nvml.h has no nvmlGpuFabricInfo_v3";
#endif
}

TEST(nvml_abi, confidential_computing_is_laid_out_as_in_nvml_h) {
#ifdef NVML_CC_ACCEPTING_CLIENT_REQUESTS_TRUE
  EXPECT_EQ(sizeof(nvmlConfComputeSystemState_t), sizeof(abi::conf_compute_state));
  GPUCERT_SAME_MEMBER(nvmlConfComputeSystemState_t, environment, abi::conf_compute_state, environment);
  GPUCERT_SAME_MEMBER(nvmlConfComputeSystemState_t, ccFeature, abi::conf_compute_state, cc_feature);
  GPUCERT_SAME_MEMBER(nvmlConfComputeSystemState_t, devToolsMode, abi::conf_compute_state, dev_tools_mode);
#else
  GTEST_SKIP() << "this nvml.h has no confidential computing";
#endif
}

TEST(nvml_abi, field_values_are_laid_out_as_in_nvml_h) {
  EXPECT_EQ(sizeof(nvmlFieldValue_t), sizeof(abi::field_value));
  GPUCERT_SAME_MEMBER(nvmlFieldValue_t, fieldId, abi::field_value, field_id);
  GPUCERT_SAME_MEMBER(nvmlFieldValue_t, scopeId, abi::field_value, scope_id);
  GPUCERT_SAME_MEMBER(nvmlFieldValue_t, timestamp, abi::field_value, timestamp_us);
  GPUCERT_SAME_MEMBER(nvmlFieldValue_t, latencyUsec, abi::field_value, latency_us);
  GPUCERT_SAME_MEMBER(nvmlFieldValue_t, valueType, abi::field_value, type);
  GPUCERT_SAME_MEMBER(nvmlFieldValue_t, nvmlReturn, abi::field_value, ret);
  GPUCERT_SAME_MEMBER(nvmlFieldValue_t, value, abi::field_value, number);
  GPUCERT_SAME_MEMBER(nvmlValue_t, dVal, abi::field_number, floating);
  GPUCERT_SAME_MEMBER(nvmlValue_t, uiVal, abi::field_number, unsigned_int);
  GPUCERT_SAME_MEMBER(nvmlValue_t, ulVal, abi::field_number, unsigned_long);
  GPUCERT_SAME_MEMBER(nvmlValue_t, ullVal, abi::field_number, unsigned_long_long);
  GPUCERT_SAME_MEMBER(nvmlValue_t, sllVal, abi::field_number, signed_long_long);
}

/// Reads the numbers of NVML_FI_DEV_* out of nvml.h, since macros cannot be listed: a new field is compared without a
/// line here.
std::map<std::string, unsigned> field_ids_of_header() {
  std::ifstream header(GPUCERT_NVML_H);
  std::map<std::string, unsigned> ids;
  std::string word;
  while (header >> word)
    if (word == "#define" && header >> word && word.starts_with("NVML_FI_DEV_"))
      if (std::string id; header >> id && std::isdigit(static_cast<unsigned char>(id.front())))
        ids.emplace(word, static_cast<unsigned>(std::stoul(id)));
  return ids;
}

TEST(nvml_abi, fields_have_the_numbers_of_nvml_h) {
  const auto ids = field_ids_of_header();
  const unsigned newest = ids.empty() ? 0 : std::max_element(ids.begin(), ids.end(), [](const auto &a, const auto &b) {
                                              return a.second < b.second;
                                            })->second;
  ASSERT_GT(ids.size(), 100U);
  for (const nvml_field &field : nvml_fields()) {
    if (ids.contains(field.name))
      EXPECT_EQ(ids.at(field.name), field.id) << field.name;
    else
      EXPECT_GT(field.id, newest) << field.name << " is not in nvml.h, and not newer than it either";
  }
}

} // namespace
} // namespace gpucert
#endif
