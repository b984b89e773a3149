// SPDX-License-Identifier: Apache-2.0
#include "simulator/node/nvml_replay.h"

#include "simulator/node/node_versions.h"

namespace gpucert::simulator {
namespace {

using nlohmann::json;

// NVML's numbers.
constexpr int driver_not_loaded = 9;
constexpr int version_mismatch = 18;
constexpr int thermal_slowdown_reasons = 0x20 | 0x40; // by software, by hardware

json with_value(json value) { return {{"ret", 0}, {"value", std::move(value)}}; }

/// "00000000:1B:00.0", as NVML writes "0000:1b:00.0".
std::string nvml_bus_id(const std::string &pci_address) {
  std::string id = "0000" + pci_address;
  for (char &letter : id)
    if (letter >= 'a' && letter <= 'f')
      letter = static_cast<char>(letter - 'a' + 'A');
  return id;
}

json pci_info(const simulation &what, int device) {
  const json &pci = what.gpu.source.at("pci");
  const auto number = [&](const char *key) { return std::stol(pci.at(key).get<std::string>(), nullptr, 16); };
  constexpr long vendor = 0x10de;
  const std::string address = what.pci_address(device);
  return {{"ret", 0},
          {"values",
           {{"busId", nvml_bus_id(address)},
            {"domain", 0},
            {"bus", std::stol(address.substr(5, 2), nullptr, 16)},
            {"device", 0},
            {"pciDeviceId", number("device") << 16 | vendor},
            {"pciSubSystemId", number("subsystem_device") << 16 | vendor}}}};
}

/// Changes the value of the call with this argument.
void set_call(json &function, const char *argument, int wanted, const json &value) {
  for (json &call : function.at("calls"))
    if (call.at("args").at(argument) == wanted)
      call["value"] = value;
}

void add_ecc_error(json &functions) {
  for (json &call : functions.at("nvmlDeviceGetTotalEccErrors").at("calls"))
    if (call.at("args").at("errorType") == 1)
      call["value"] = 1;
}

void heat(json &functions) {
  functions["nvmlDeviceGetCurrentClocksEventReasons"] = with_value(thermal_slowdown_reasons);
  constexpr int hot_celsius = 93;
  set_call(functions.at("nvmlDeviceGetTemperature"), "sensorType", 0, hot_celsius);
  for (const int clock : {0, 1}) { // graphics and SM
    json &calls = functions.at("nvmlDeviceGetClockInfo");
    set_call(calls, "type", clock, 915);
  }
}

json device_of(const simulation &what, int index) {
  const json &nvml = what.gpu.source.at("nvml");
  json functions = nvml.at("device_functions");
  functions["nvmlDeviceGetUUID"] = with_value("GPU-00000000-0000-0000-0000-" + std::to_string(index));
  functions["nvmlDeviceGetMinorNumber"] = with_value(index);
  functions["nvmlDeviceGetPciInfo_v3"] = pci_info(what, index);
  functions["nvmlDeviceGetGspFirmwareVersion"] = with_value(versions_of(what).userspace);
  if (index == 0 && what.faults.has(fault_name::ecc_uncorrected))
    add_ecc_error(functions);
  if (index == 0 && what.faults.has(fault_name::thermal_throttle))
    heat(functions);
  return {{"index", index}, {"functions", std::move(functions)}, {"fields", nvml.at("fields")}};
}

} // namespace

json nvml_replay_of(const simulation &what) {
  const node_versions versions = versions_of(what);
  // The major number before the driver's version is that of CUDA.
  const std::string library_version = std::to_string(versions.cuda_driver_version / 1000) + "." + versions.userspace;
  json replay{{"schema", "gpucert-nvml-replay-1"},
              {"functions", {{"nvmlSystemGetNVMLVersion", with_value(library_version)}}},
              {"devices", json::array()}};
  json &functions = replay["functions"];
  if (!versions.loaded_module || versions.loaded_module != versions.userspace) {
    functions["nvmlInit_v2"] = {{"ret", versions.loaded_module ? version_mismatch : driver_not_loaded}};
    return replay;
  }
  functions["nvmlInit_v2"] = {{"ret", 0}};
  functions["nvmlSystemGetDriverVersion"] = with_value(*versions.loaded_module);
  functions["nvmlSystemGetCudaDriverVersion_v2"] = with_value(versions.cuda_driver_version);
  functions["nvmlDeviceGetCount_v2"] = with_value(what.visible_devices());
  for (int index = 0; index < what.visible_devices(); ++index)
    replay["devices"].push_back(device_of(what, index));
  return replay;
}

} // namespace gpucert::simulator
