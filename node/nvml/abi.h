// SPDX-License-Identifier: Apache-2.0
// The part of the NVML C ABI that gpucert-nvml uses, on 64-bit Linux.
//
// nvml.h is not needed to build. tests/nvml/abi_test.cpp compares every line of this file with the real header where
// one is installed (checked against those of CUDA 11.8 and 13.0). To use one more function: describe it here, add a
// line to the comparison, and ask it in the file of its topic (query.h).
#pragma once

#include <cstddef>

namespace gpucert::nvml_abi {

enum class return_code : unsigned {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  insufficient_size = 7,
  driver_not_loaded = 9,
  library_not_found = 12,
  function_not_found = 13,
  lib_rm_version_mismatch = 18,
  argument_version_mismatch = 25,
  unknown = 999,
};

// Arguments. The structures and functions below take any number in these, since libraries know more values than we do.
enum class memory_error : unsigned { corrected = 0, uncorrected = 1 };
enum class ecc_counter : unsigned { since_driver_load = 0, lifetime = 1 }; // NVML: volatile, aggregate
enum class memory_location : unsigned { dram = 2, sram = 7 };
enum class temperature_sensor : unsigned { gpu = 0 };
enum class temperature_threshold : unsigned { shutdown = 0, slowdown = 1, memory_max = 2, gpu_max = 3 };
enum class clock_type : unsigned { graphics = 0, sm = 1, memory = 2 };
enum class retirement_cause : unsigned { single_bit_errors = 0, double_bit_error = 1 };
enum class nvlink_error : unsigned { replay = 0, recovery = 1, crc_flit = 2, crc_data = 3, ecc_data = 4 };

// Results that are enumerations in nvml.h; nvml.json states them as numbers, so they need no names here.
enum class enable_state : unsigned {};
enum class brand : unsigned {};
enum class compute_mode : unsigned {};
enum class performance_state : unsigned {};

enum class value_type : unsigned {
  floating = 0,
  unsigned_int = 1,
  unsigned_long = 2,
  unsigned_long_long = 3,
  signed_long_long = 4,
  signed_int = 5,
  unsigned_short = 6,
};

inline constexpr unsigned nvlink_max_links = 18;
inline constexpr unsigned driver_version_length = 80;
inline constexpr unsigned nvml_version_length = 80;
inline constexpr unsigned name_length = 96;
inline constexpr unsigned uuid_length = 96;
inline constexpr unsigned part_number_length = 80;
inline constexpr unsigned vbios_version_length = 32;
inline constexpr unsigned inforom_version_length = 16;
inline constexpr unsigned gsp_version_length = 64;

struct device_record; // never complete: the library's own
using device = device_record *;

/// Versioned structures carry their size and a version number in their first member.
template <class Structure> constexpr unsigned version_tag(unsigned version) {
  return static_cast<unsigned>(sizeof(Structure)) | version << 24;
}

struct pci_info {
  char bus_id_legacy[16]; // all that versions before v3 fill in
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id; // device id in the upper half, vendor id in the lower
  unsigned pci_sub_system_id;
  char bus_id[32];
};

struct memory { // bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used; // includes what is reserved, unlike memory_v2
};

struct memory_v2 { // bytes
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};
inline constexpr unsigned memory_v2_tag = version_tag<memory_v2>(2);

struct bar1_memory { // bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct utilization { // percent
  unsigned gpu;
  unsigned memory;
};

struct process_info {
  unsigned pid;
  unsigned long long used_gpu_memory;
  unsigned gpu_instance_id;
  unsigned compute_instance_id;
};

struct row_remapper_histogram { // banks by the spare rows they have left
  unsigned max;
  unsigned high;
  unsigned partial;
  unsigned low;
  unsigned none;
};

struct sram_ecc_status {
  unsigned version;
  unsigned long long aggregate_unc_parity;
  unsigned long long aggregate_unc_sec_ded;
  unsigned long long aggregate_cor;
  unsigned long long volatile_unc_parity;
  unsigned long long volatile_unc_sec_ded;
  unsigned long long volatile_cor;
  unsigned long long aggregate_unc_bucket_l2;
  unsigned long long aggregate_unc_bucket_sm;
  unsigned long long aggregate_unc_bucket_pcie;
  unsigned long long aggregate_unc_bucket_mcu;
  unsigned long long aggregate_unc_bucket_other;
  unsigned threshold_exceeded;
};
inline constexpr unsigned sram_ecc_status_tag = version_tag<sram_ecc_status>(1);

struct temperature_reading {
  unsigned version;
  temperature_sensor sensor;
  int temperature_celsius;
};
inline constexpr unsigned temperature_reading_tag = version_tag<temperature_reading>(1);

struct margin_temperature {
  unsigned version;
  int margin_celsius;
};
inline constexpr unsigned margin_temperature_tag = version_tag<margin_temperature>(1);

struct fabric_info {
  unsigned char cluster_uuid[16];
  return_code status;
  unsigned clique_id;
  unsigned char state;
};

struct fabric_info_v2 {
  unsigned version;
  unsigned char cluster_uuid[16];
  return_code status;
  unsigned clique_id;
  unsigned char state;
  unsigned health_mask;
};
inline constexpr unsigned fabric_info_v2_tag = version_tag<fabric_info_v2>(2);

struct fabric_info_v3 {
  unsigned version;
  unsigned char cluster_uuid[16];
  return_code status;
  unsigned clique_id;
  unsigned char state;
  unsigned health_mask;
  unsigned char health_summary;
};
inline constexpr unsigned fabric_info_v3_tag = version_tag<fabric_info_v3>(3);

struct conf_compute_state {
  unsigned environment;
  unsigned cc_feature;
  unsigned dev_tools_mode;
};

union field_number {
  double floating;
  int signed_int;
  unsigned unsigned_int;
  unsigned long unsigned_long;
  unsigned long long unsigned_long_long;
  long long signed_long_long;
  unsigned short unsigned_short;
};

struct field_value {
  unsigned field_id;
  unsigned scope_id;
  long long timestamp_us;
  long long latency_us;
  value_type type;
  return_code ret;
  field_number number;
};

/// A function of the library: its newest name, and the type behind that name and its older ones (older_names.h).
template <class Signature> struct function { const char *name; };

using count_function = function<return_code(unsigned *)>;
using text_function = function<return_code(char *, unsigned length)>;
using device_text_function = function<return_code(device, char *, unsigned length)>;
using device_number_function = function<return_code(device, unsigned *)>;
using device_long_function = function<return_code(device, unsigned long long *)>;
using device_switch_function = function<return_code(device, enable_state *)>;
using device_pair_function = function<return_code(device, unsigned *, unsigned *)>;
using device_switch_pair_function = function<return_code(device, enable_state *, enable_state *)>;
using device_clock_function = function<return_code(device, clock_type, unsigned *)>;
using device_processes_function = function<return_code(device, unsigned *count, process_info *)>;

inline constexpr function<return_code()> init{"nvmlInit_v2"};
inline constexpr function<return_code()> shutdown{"nvmlShutdown"};
inline constexpr text_function system_driver_version{"nvmlSystemGetDriverVersion"};
inline constexpr text_function system_nvml_version{"nvmlSystemGetNVMLVersion"};
inline constexpr function<return_code(int *)> system_cuda_driver_version{"nvmlSystemGetCudaDriverVersion_v2"};
inline constexpr function<return_code(conf_compute_state *)> system_conf_compute_state{"nvmlSystemGetConfComputeState"};
inline constexpr count_function system_conf_compute_ready{"nvmlSystemGetConfComputeGpusReadyState"};
inline constexpr count_function device_count{"nvmlDeviceGetCount_v2"};
inline constexpr function<return_code(unsigned index, device *)> device_handle_by_index{
    "nvmlDeviceGetHandleByIndex_v2"};

// Identity
inline constexpr device_text_function device_name{"nvmlDeviceGetName"};
inline constexpr device_text_function device_uuid{"nvmlDeviceGetUUID"};
inline constexpr device_text_function device_board_part_number{"nvmlDeviceGetBoardPartNumber"};
inline constexpr device_text_function device_vbios_version{"nvmlDeviceGetVbiosVersion"};
inline constexpr device_text_function device_inforom_image_version{"nvmlDeviceGetInforomImageVersion"};
inline constexpr device_number_function device_inforom_checksum{"nvmlDeviceGetInforomConfigurationChecksum"};
inline constexpr function<return_code(device)> device_validate_inforom{"nvmlDeviceValidateInforom"};
inline constexpr function<return_code(device, brand *)> device_brand{"nvmlDeviceGetBrand"};
inline constexpr device_number_function device_architecture{"nvmlDeviceGetArchitecture"};
inline constexpr device_number_function device_minor_number{"nvmlDeviceGetMinorNumber"};
inline constexpr function<return_code(device, int *, int *)> device_compute_capability{
    "nvmlDeviceGetCudaComputeCapability"};
inline constexpr function<return_code(device, pci_info *)> device_pci_info{"nvmlDeviceGetPciInfo_v3"};
inline constexpr function<return_code(device, char *)> device_gsp_version{"nvmlDeviceGetGspFirmwareVersion"};
inline constexpr device_pair_function device_gsp_mode{"nvmlDeviceGetGspFirmwareMode"};

// Memory
inline constexpr function<return_code(device, memory *)> device_memory{"nvmlDeviceGetMemoryInfo"};
inline constexpr function<return_code(device, memory_v2 *)> device_memory_v2{"nvmlDeviceGetMemoryInfo_v2"};
inline constexpr function<return_code(device, bar1_memory *)> device_bar1_memory{"nvmlDeviceGetBAR1MemoryInfo"};

// PCI Express
inline constexpr device_number_function device_curr_pcie_generation{"nvmlDeviceGetCurrPcieLinkGeneration"};
inline constexpr device_number_function device_curr_pcie_width{"nvmlDeviceGetCurrPcieLinkWidth"};
inline constexpr device_number_function device_max_pcie_generation{"nvmlDeviceGetMaxPcieLinkGeneration"};
inline constexpr device_number_function device_max_pcie_width{"nvmlDeviceGetMaxPcieLinkWidth"};
inline constexpr device_number_function device_gpu_max_pcie_generation{"nvmlDeviceGetGpuMaxPcieLinkGeneration"};
inline constexpr device_number_function device_pcie_replay_counter{"nvmlDeviceGetPcieReplayCounter"};

// Clocks, temperature, power
inline constexpr device_clock_function device_clock{"nvmlDeviceGetClockInfo"};
inline constexpr device_clock_function device_max_clock{"nvmlDeviceGetMaxClockInfo"};
inline constexpr device_clock_function device_applications_clock{"nvmlDeviceGetApplicationsClock"};
inline constexpr device_clock_function device_default_applications_clock{"nvmlDeviceGetDefaultApplicationsClock"};
inline constexpr device_switch_pair_function device_auto_boost{"nvmlDeviceGetAutoBoostedClocksEnabled"};
inline constexpr device_long_function device_event_reasons{"nvmlDeviceGetCurrentClocksEventReasons"};
inline constexpr device_long_function device_supported_event_reasons{"nvmlDeviceGetSupportedClocksEventReasons"};
inline constexpr function<return_code(device, performance_state *)> device_performance_state{
    "nvmlDeviceGetPerformanceState"};
inline constexpr function<return_code(device, utilization *)> device_utilization{"nvmlDeviceGetUtilizationRates"};
inline constexpr function<return_code(device, temperature_sensor, unsigned *)> device_temperature{
    "nvmlDeviceGetTemperature"};
inline constexpr function<return_code(device, temperature_reading *)> device_temperature_v{"nvmlDeviceGetTemperatureV"};
inline constexpr function<return_code(device, margin_temperature *)> device_margin_temperature{
    "nvmlDeviceGetMarginTemperature"};
inline constexpr function<return_code(device, temperature_threshold, unsigned *)> device_temperature_threshold{
    "nvmlDeviceGetTemperatureThreshold"};
inline constexpr device_number_function device_power_usage{"nvmlDeviceGetPowerUsage"}; // all power in milliwatts
inline constexpr device_number_function device_power_limit{"nvmlDeviceGetPowerManagementLimit"};
inline constexpr device_number_function device_default_power_limit{"nvmlDeviceGetPowerManagementDefaultLimit"};
inline constexpr device_number_function device_enforced_power_limit{"nvmlDeviceGetEnforcedPowerLimit"};
inline constexpr device_pair_function device_power_limit_constraints{"nvmlDeviceGetPowerManagementLimitConstraints"};

// ECC and repairs of memory
inline constexpr device_switch_pair_function device_ecc_mode{"nvmlDeviceGetEccMode"};
inline constexpr device_switch_function device_default_ecc_mode{"nvmlDeviceGetDefaultEccMode"};
inline constexpr function<return_code(device, memory_error, ecc_counter, unsigned long long *)> device_total_ecc_errors{
    "nvmlDeviceGetTotalEccErrors"};
inline constexpr function<return_code(device, memory_error, ecc_counter, memory_location, unsigned long long *)>
    device_memory_error_counter{"nvmlDeviceGetMemoryErrorCounter"};
inline constexpr function<return_code(device, sram_ecc_status *)> device_sram_ecc_status{
    "nvmlDeviceGetSramEccErrorStatus"};
inline constexpr function<return_code(device, unsigned *, unsigned *, unsigned *, unsigned *)> device_remapped_rows{
    "nvmlDeviceGetRemappedRows"};
inline constexpr function<return_code(device, row_remapper_histogram *)> device_row_remapper_histogram{
    "nvmlDeviceGetRowRemapperHistogram"};
inline constexpr function<return_code(device, retirement_cause, unsigned *count, unsigned long long *addresses,
                                      unsigned long long *timestamps)>
    device_retired_pages{"nvmlDeviceGetRetiredPages_v2"};
inline constexpr device_switch_function device_retired_pages_pending{"nvmlDeviceGetRetiredPagesPendingStatus"};

// Modes and processes
inline constexpr device_switch_function device_persistence_mode{"nvmlDeviceGetPersistenceMode"};
inline constexpr function<return_code(device, compute_mode *)> device_compute_mode{"nvmlDeviceGetComputeMode"};
inline constexpr device_switch_function device_accounting_mode{"nvmlDeviceGetAccountingMode"};
inline constexpr device_pair_function device_mig_mode{"nvmlDeviceGetMigMode"};
inline constexpr device_number_function device_max_mig_count{"nvmlDeviceGetMaxMigDeviceCount"};
inline constexpr device_processes_function device_compute_processes{"nvmlDeviceGetComputeRunningProcesses_v3"};
inline constexpr device_processes_function device_graphics_processes{"nvmlDeviceGetGraphicsRunningProcesses_v3"};

// NVLink and fabric
inline constexpr function<return_code(device, unsigned link, enable_state *)> device_nvlink_state{
    "nvmlDeviceGetNvLinkState"};
inline constexpr function<return_code(device, unsigned link, unsigned *)> device_nvlink_version{
    "nvmlDeviceGetNvLinkVersion"};
inline constexpr function<return_code(device, unsigned link, nvlink_error, unsigned long long *)>
    device_nvlink_error_counter{"nvmlDeviceGetNvLinkErrorCounter"};
inline constexpr function<return_code(device, fabric_info *)> device_fabric_info{"nvmlDeviceGetGpuFabricInfo"};
/// Declared with the newest structure; its `version` member tells the library which one it is given.
inline constexpr function<return_code(device, fabric_info_v3 *)> device_fabric_info_v{"nvmlDeviceGetGpuFabricInfoV"};

inline constexpr function<return_code(device, int count, field_value *)> device_field_values{
    "nvmlDeviceGetFieldValues"};

} // namespace gpucert::nvml_abi
