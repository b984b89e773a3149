// SPDX-License-Identifier: Apache-2.0
// Queries: PCI Express, NVLink and the NVLink fabric.
#include "node/nvml/answer_forms.h"

#include <numeric>

namespace gpucert {
namespace {

using namespace nvml_forms;
namespace abi = nvml_abi;

/// The cluster's UUID is left out: it identifies a machine.
ordered_json ask_fabric_info(const nvml_scope &, auto call) {
  using info = abi::fabric_info_v3;
  info result{};
  return_code ret{};
  // Older drivers know v2 only, and refuse the version, or the argument.
  for (const unsigned version : {abi::fabric_info_v3_tag, abi::fabric_info_v2_tag}) {
    result = {};
    result.version = version;
    ret = call(&result);
    if (ret != return_code::argument_version_mismatch && ret != return_code::invalid_argument)
      break;
  }
  ordered_json answer = answer_of(ret);
  if (ret != return_code::success)
    return answer;
  answer["values"] = json_of_members(result, member{"state", &info::state}, member{"status", &info::status},
                                     member{"cliqueId", &info::clique_id}, member{"healthMask", &info::health_mask});
  if (result.version == abi::fabric_info_v3_tag)
    answer["values"]["healthSummary"] = result.health_summary;
  return answer;
}

} // namespace

nvml_queries nvml_link_queries() {
  argument link{"link", std::vector<unsigned>(abi::nvlink_max_links)};
  std::iota(link.numbers.begin(), link.numbers.end(), 0U);
  const argument counter{"counter",
                         {number_of(abi::nvlink_error::replay), number_of(abi::nvlink_error::recovery),
                          number_of(abi::nvlink_error::crc_flit), number_of(abi::nvlink_error::crc_data),
                          number_of(abi::nvlink_error::ecc_data)}};
  return {
      value(abi::device_curr_pcie_generation),
      value(abi::device_curr_pcie_width),
      value(abi::device_max_pcie_generation), // of card and slot together
      value(abi::device_max_pcie_width),
      value(abi::device_gpu_max_pcie_generation), // of the card alone
      value(abi::device_pcie_replay_counter),
      calls(abi::device_nvlink_state, link),
      calls(abi::device_nvlink_version, link),
      calls(abi::device_nvlink_error_counter, link, counter),
      structure(abi::device_fabric_info, member{"state", &abi::fabric_info::state},
                member{"status", &abi::fabric_info::status}, member{"cliqueId", &abi::fabric_info::clique_id}),
      custom(abi::device_fabric_info_v,
             [](const nvml_scope &scope, auto call) { return ask_fabric_info(scope, call); }),
  };
}

} // namespace gpucert
