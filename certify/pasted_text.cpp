// SPDX-License-Identifier: Apache-2.0
#include "certify/pasted_text.h"

#include "node/text_lines.h"

#include <array>
#include <cctype>
#include <span>

namespace gpucert {
namespace {

using line_test = bool (*)(std::string_view line);

bool holds(std::string_view line, std::string_view part) { return line.find(part) != line.npos; }

/// "ii  libnvidia-compute-550 ...": wish, state, error flag.
bool is_dpkg_row(std::string_view line) {
  return line.size() > 4 && std::string_view("uihrp").find(line[0]) != std::string_view::npos &&
         std::string_view("ncHUFWti").find(line[1]) != std::string_view::npos && (line[2] == ' ' || line[2] == 'R') &&
         (holds(line, "nvidia") || holds(line, "cuda") || holds(line, " linux-"));
}

/// One word that begins and ends as a package of rpm does.
bool is_rpm_row(std::string_view line) {
  return !holds(line, " ") && (line.ends_with(".x86_64") || line.ends_with(".aarch64") || line.ends_with(".noarch")) &&
         (holds(line, "nvidia") || line.starts_with("kernel"));
}

bool is_dkms_row(std::string_view line) {
  return line.starts_with("nvidia") &&
         (holds(line, ": installed") || holds(line, ": added") || holds(line, ": built") || holds(line, ": broken"));
}

bool is_lspci_row(std::string_view line) {
  return (holds(line, "NVIDIA") && holds(line, "[10de:")) || holds(line, "Kernel driver in use:");
}

bool is_variable(std::string_view line) {
  for (const std::string_view name : {"CUDA_VISIBLE_DEVICES=", "LD_LIBRARY_PATH=", "LD_PRELOAD="})
    if (line.starts_with(name) || (line.starts_with("export ") && holds(line, name)))
      return true;
  return false;
}

struct shape {
  std::string_view document;
  line_test is_of;
};

constexpr std::array<shape, 9> shapes{{
    {"root/proc/driver/nvidia/version", [](std::string_view line) { return line.starts_with("NVRM version:"); }},
    {"commands/dpkg_l.txt", is_dpkg_row},
    {"commands/rpm_qa.txt", is_rpm_row},
    {"commands/dkms_status.txt", is_dkms_row},
    {"commands/lspci_nnk.txt", is_lspci_row},
    {"commands/env.txt", is_variable},
    {"commands/ldconfig_p.txt",
     [](std::string_view line) {
       return holds(line, " => /") && (holds(line, "libcuda.so") || holds(line, "libnvidia-ml.so"));
     }},
    {"commands/journal_fabricmanager.txt", [](std::string_view line) { return holds(line, "nv-fabricmanager"); }},
    {"commands/mokutil_sb_state.txt", [](std::string_view line) { return line.starts_with("SecureBoot "); }},
}};

/// modinfo prints one field a line; only a block of the driver's own module counts.
void take_modinfo_line(std::string_view line, bool &in_block, std::string &block) {
  if (line.starts_with("filename:"))
    in_block = holds(line, "/nvidia.ko");
  const auto colon = line.find(':');
  const bool is_field = colon != line.npos && colon < 16 && !holds(line.substr(0, colon), " ");
  in_block = in_block && is_field;
  if (in_block)
    block.append(line).append("\n");
}

} // namespace

std::map<std::string, std::string> sort_pasted_text(std::string_view text) {
  constexpr std::size_t longest_line = std::size_t{64} << 10;
  std::map<std::string, std::string> documents;
  std::string whole(text);
  std::string modinfo;
  bool in_modinfo = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view raw = take_line(rest).substr(0, longest_line);
    const std::string_view line = trim(raw);
    if (line.empty())
      continue;
    take_modinfo_line(line, in_modinfo, modinfo);
    for (const shape &known : shapes)
      if (known.is_of(line))
        documents[std::string(known.document)].append(raw).append("\n");
  }
  if (!modinfo.empty())
    documents["commands/modinfo_nvidia.txt"] = modinfo;
  documents["commands/dmesg.txt"] = whole;
  documents["symptoms/pasted_text.txt"] = std::move(whole);
  return documents;
}

} // namespace gpucert
