// SPDX-License-Identifier: Apache-2.0
#include "node/gpu_state.h"

#include "node/host.h"
#include "node/letter_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gpucert {
namespace {

gpu_state *find_same(std::vector<gpu_state> &states, const gpu_state &wanted) {
  for (gpu_state &state : states)
    if (state.address && wanted.address ? state.address == wanted.address : state.index == wanted.index)
      return &state;
  return nullptr;
}

} // namespace

long long gpu_statement::least() const { return *std::min_element(readings.begin(), readings.end()); }

long long gpu_statement::bits_held() const {
  long long held = readings.front();
  for (const long long reading : readings)
    held &= reading;
  return held;
}

const gpu_statement *gpu_state::find(gpu_quantity quantity) const {
  const auto found = statements.find(quantity);
  return found == statements.end() ? nullptr : &found->second;
}

std::optional<long long> gpu_state::value(gpu_quantity quantity) const {
  const gpu_statement *found = find(quantity);
  return found == nullptr ? std::nullopt : std::optional(found->last());
}

std::string gpu_state::label() const { return address ? "GPU " + *address : fmt::format("GPU {}", index); }

std::string short_pci_address(std::string_view bus_id) {
  const auto colon = bus_id.find(':');
  if (colon != bus_id.npos && colon > 4)
    bus_id.remove_prefix(colon - 4);
  return lower_case(bus_id);
}

bool is_datacenter_gpu(std::string_view name) {
  constexpr std::array<std::string_view, 35> models{
      "A100", "A800", "A2",   "A10",   "A16",   "A30", "A40",  "H100", "H200",  "H20",  "H800", "GH200",
      "B100", "B200", "B300", "GB200", "GB300", "L2",  "L4",   "L20",  "L40",   "L40S", "T4",   "V100",
      "P100", "P40",  "P4",   "K80",   "M60",   "M40", "A10G", "A10M", "PG506", "T4G",  "H100L"};
  if (name.find("Tesla") != name.npos)
    return true;
  std::size_t begin = 0;
  while (begin < name.size()) { // "NVIDIA A100-SXM4-80GB": words end at a blank or a dash
    const std::size_t end = std::min(name.find_first_of(" -", begin), name.size());
    if (std::find(models.begin(), models.end(), name.substr(begin, end - begin)) != models.end())
      return name.find("RTX") == name.npos && name.find("GeForce") == name.npos;
    begin = end + 1;
  }
  return false;
}

void complete_gpu_states(std::vector<gpu_state> &states, std::vector<gpu_state> more) {
  for (gpu_state &other : more) {
    gpu_state *same = find_same(states, other);
    if (same == nullptr) {
      states.push_back(std::move(other));
      continue;
    }
    if (!same->address)
      same->address = std::move(other.address);
    if (!same->name)
      same->name = std::move(other.name);
    same->statements.merge(other.statements);
  }
}

fact<std::vector<gpu_state>> read_gpu_states(host &node, const fact<nvml_record> &nvml) {
  std::vector<gpu_state> states;
  if (nvml.is_known())
    states = gpu_states_of(*nvml, nvml.source);
  if (node.kind() == host_kind::capture) {
    const std::string name = "commands/nvidia_smi_q.txt";
    if (const fact<std::string> text = node.read_document(name); text.is_known())
      complete_gpu_states(states, parse_smi_query(*text, name));
  }
  if (!states.empty())
    return fact<std::vector<gpu_state>>::known(std::move(states), nvml.is_known() ? nvml.source : "nvidia-smi -q");
  if (nvml.is_unknown())
    return fact<std::vector<gpu_state>>::unknown(nvml.source, *nvml.problem);
  return fact<std::vector<gpu_state>>::absent(nvml.source);
}

} // namespace gpucert
