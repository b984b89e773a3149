// SPDX-License-Identifier: Apache-2.0
// Health and settings of each GPU: the numbers that checks judge, whoever stated them. NVML is the first witness; the
// `nvidia-smi -q` of a capture, often an excerpt that somebody pasted, is the second and fills in what NVML left open.
#pragma once

#include "node/nvml_record.h"
#include "node/reading.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucert {

class host;

/// Switches are 0 and 1, temperatures Celsius, clocks MHz, power milliwatts.
enum class gpu_quantity {
  handle_return, // what NVML answered to the question for this GPU: 0, 15 lost, 16 reset required ...
  recovery_action,
  inforom_return, // 14: corrupt
  ecc_mode,
  ecc_mode_pending,
  ecc_mode_default,
  corrected_since_load,   // ECC errors since the driver was loaded
  uncorrected_since_load, // the same
  sram_threshold_exceeded,
  rows_remapped_corrected,
  rows_remapped_uncorrected,
  row_remap_pending,
  row_remap_failed,
  banks_low,  // of the row remapper, by spare rows left
  banks_none, // the same
  pages_retired_single,
  pages_retired_double,
  page_retirement_pending,
  event_reasons, // mask, see gpu_event_reason
  temperature,
  temperature_slowdown, // the hardware slows down here
  temperature_max,      // the highest at which the GPU may work
  memory_temperature,
  memory_temperature_max,
  utilization, // percent
  performance_state,
  pcie_generation,
  pcie_generation_max, // of card and slot together
  pcie_width,
  pcie_width_max, // the same
  pcie_replays,
  pcie_replay_rollovers,
  pcie_nonfatal_errors,
  pcie_fatal_errors,
  power_limit_enforced,
  power_limit_default,
  application_clock,
  application_clock_default,
  persistence_mode,
  mig_mode,
  mig_mode_pending,
  nvlinks_active,
  nvlinks_to_switch, // links that the board has to an NVSwitch
  nvlink_replays,    // over all links; judged by growth only
  nvlink_recoveries,
  fabric_state,  // 0 not supported, 1 not started, 2 in progress, 3 completed
  fabric_status, // an NVML return code
  fabric_health_mask,
  fabric_health_summary, // 0 not supported, 1 healthy, 2 unhealthy, 3 limited capacity
};

/// Bits of NVML's clock event reasons (nvml.h, nvmlClocksEventReason*).
namespace gpu_event_reason {
inline constexpr long long idle = 0x1, hardware_slowdown = 0x8, software_thermal = 0x20, hardware_thermal = 0x40,
                           power_brake = 0x80;
}

/// A number with its witness.
struct gpu_statement {
  std::vector<long long> readings; // never empty; more than one where NVML was asked repeatedly
  std::string source;
  std::string text; // "nvmlDeviceGetRemappedRows isPending: 1"

  long long last() const { return readings.back(); }
  long long least() const;
  /// The bits that stood in all readings.
  long long bits_held() const;
  bool has_grown() const { return readings.back() > readings.front(); }
};

struct gpu_state {
  int index = 0;
  std::optional<std::string> address; // 0000:3b:00.0
  std::optional<std::string> name;
  std::map<gpu_quantity, gpu_statement> statements;

  const gpu_statement *find(gpu_quantity quantity) const;
  std::optional<long long> value(gpu_quantity quantity) const;
  bool is(gpu_quantity quantity, long long wanted) const { return value(quantity) == wanted; }
  /// "GPU 0000:3b:00.0", or "GPU 1" where the address is not known.
  std::string label() const;
};

/// "00000000:3B:00.0" and "0000:3b:00.0" name one device, written like the latter.
std::string short_pci_address(std::string_view bus_id);

/// NVIDIA's models for servers, by name. Their owners want persistence mode, ECC and full power; a desktop card that
/// has none of these is in order.
bool is_datacenter_gpu(std::string_view name);

std::vector<gpu_state> gpu_states_of(const nvml_record &record, std::string_view source);

/// `nvidia-smi -q`, whole or sections of it, in the wording of any branch. What it does not know it passes over.
std::vector<gpu_state> parse_smi_query(std::string_view text, std::string_view source);

/// `more` fills in what `states` leaves open, for GPUs of one address, or of one index where nobody states addresses.
void complete_gpu_states(std::vector<gpu_state> &states, std::vector<gpu_state> more);

/// From what NVML answered, and from the capture's commands/nvidia_smi_q.txt. Unknown where nobody was asked.
fact<std::vector<gpu_state>> read_gpu_states(host &node, const fact<nvml_record> &nvml);

} // namespace gpucert
