// SPDX-License-Identifier: Apache-2.0
// Queries: what software and which GPU this is. Serial numbers are never asked for.
#include "node/nvml/answer_forms.h"

#include <string>

namespace gpucert {
namespace {

using namespace nvml_forms;
namespace abi = nvml_abi;

/// A UUID identifies a machine for good, so it gives way to the device's index already here. Whether the GPU can state
/// its UUID is kept: a half-initialised one cannot.
ordered_json ask_uuid(const nvml_scope &scope, auto call) {
  std::array<char, abi::uuid_length> buffer{};
  ordered_json answer = answer_of(call(buffer.data(), abi::uuid_length));
  if (answer["ret"] == 0)
    answer["value"] = "GPU-" + std::to_string(scope.index);
  return answer;
}

ordered_json ask_pci_info(const nvml_scope &, auto call) {
  abi::pci_info pci{};
  ordered_json answer = answer_of(call(&pci));
  if (answer["ret"] == 0)
    answer["values"] = {{"busId", pci.bus_id[0] ? json_of(pci.bus_id) : json_of(pci.bus_id_legacy)}, // legacy before v3
                        {"domain", pci.domain},
                        {"bus", pci.bus},
                        {"device", pci.device},
                        {"pciDeviceId", pci.pci_device_id},
                        {"pciSubSystemId", pci.pci_sub_system_id}};
  return answer;
}

ordered_json ask_gsp_version(const nvml_scope &, auto call) {
  std::array<char, abi::gsp_version_length> buffer{}; // the function takes no length; nvml.h states it
  ordered_json answer = answer_of(call(buffer.data()));
  if (answer["ret"] == 0)
    answer["value"] = json_of(buffer);
  return answer;
}

} // namespace

nvml_queries nvml_version_queries() {
  // The library answers this before nvmlInit too (seen with 535.261.03 on a node without the module), and so says what
  // stands beside a module that refuses it.
  return {text<abi::nvml_version_length>(abi::system_nvml_version)};
}

nvml_queries nvml_system_queries() {
  return {
      text<abi::driver_version_length>(abi::system_driver_version),
      value(abi::system_cuda_driver_version), // 1000 * major + 10 * minor
      structure(abi::system_conf_compute_state, member{"environment", &abi::conf_compute_state::environment},
                member{"ccFeature", &abi::conf_compute_state::cc_feature},
                member{"devToolsMode", &abi::conf_compute_state::dev_tools_mode}),
      value(abi::system_conf_compute_ready),
  };
}

nvml_queries nvml_identity_queries() {
  return {
      text<abi::name_length>(abi::device_name),
      custom(abi::device_uuid, [](const nvml_scope &scope, auto call) { return ask_uuid(scope, call); }),
      custom(abi::device_pci_info, [](const nvml_scope &scope, auto call) { return ask_pci_info(scope, call); }),
      value(abi::device_minor_number),
      value(abi::device_brand),
      value(abi::device_architecture),
      values(abi::device_compute_capability, "major", "minor"),
      text<abi::part_number_length>(abi::device_board_part_number),
      text<abi::vbios_version_length>(abi::device_vbios_version),
      text<abi::inforom_version_length>(abi::device_inforom_image_version),
      value(abi::device_inforom_checksum),
      only_ret(abi::device_validate_inforom), // 14 when it is corrupt
      custom(abi::device_gsp_version, [](const nvml_scope &scope, auto call) { return ask_gsp_version(scope, call); }),
      values(abi::device_gsp_mode, "isEnabled", "defaultMode"),
  };
}

} // namespace gpucert
