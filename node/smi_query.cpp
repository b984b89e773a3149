// SPDX-License-Identifier: Apache-2.0
// parse_smi_query: `nvidia-smi -q`. Its sections are told by indentation, its lines are "Key : Value". Names of
// sections and keys changed with the branches; the table has them all.
#include "node/gpu_state.h"
#include "node/letter_case.h"
#include "node/text_lines.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace gpucert {
namespace {

enum class reading {
  number,   // "4", "87 C", "16x", "3072 bank(s)"
  yes,      // Yes, Active, Enabled, True: 1
  power,    // "700.00 W"
  reason,   // Active: the bit in `detail`
  recovery, // None, Reset, Reboot, Drain P2P, Drain and Reset
  state,    // of the fabric
  status,   // of the fabric
  p_state,  // "P0"
};

struct smi_line {
  std::string_view path; // the end of section/key, lower case
  gpu_quantity quantity;
  reading how;
  long long detail = 0; // reason: the bit; number: 1 where several lines are added up
};

using enum gpu_quantity;
constexpr long long add_up = 1;

constexpr smi_line known_lines[] = {
    {"gpu recovery action", recovery_action, reading::recovery},
    {"recovery action", recovery_action, reading::recovery},
    {"persistence mode", persistence_mode, reading::yes},
    {"mig mode/current", mig_mode, reading::yes},
    {"mig mode/pending", mig_mode_pending, reading::yes},
    {"ecc mode/current", ecc_mode, reading::yes},
    {"ecc mode/pending", ecc_mode_pending, reading::yes},
    // Turing and later: by memory; before: "Single Bit" and "Double Bit" with a total.
    {"volatile/sram correctable", corrected_since_load, reading::number, add_up},
    {"volatile/dram correctable", corrected_since_load, reading::number, add_up},
    {"volatile/single bit/total", corrected_since_load, reading::number},
    {"volatile/sram uncorrectable", uncorrected_since_load, reading::number, add_up},
    {"volatile/sram uncorrectable parity", uncorrected_since_load, reading::number, add_up},
    {"volatile/sram uncorrectable sec-ded", uncorrected_since_load, reading::number, add_up},
    {"volatile/dram uncorrectable", uncorrected_since_load, reading::number, add_up},
    {"volatile/double bit/total", uncorrected_since_load, reading::number},
    {"sram threshold exceeded", sram_threshold_exceeded, reading::yes},
    {"remapped rows/correctable error", rows_remapped_corrected, reading::number},
    {"remapped rows/uncorrectable error", rows_remapped_uncorrected, reading::number},
    {"remapped rows/pending", row_remap_pending, reading::yes},
    {"remapping failure occurred", row_remap_failed, reading::yes},
    {"bank remap availability histogram/low", banks_low, reading::number},
    {"bank remap availability histogram/none", banks_none, reading::number},
    {"retired pages/single bit ecc", pages_retired_single, reading::number},
    {"retired pages/double bit ecc", pages_retired_double, reading::number},
    {"retired pages/pending page blacklist", page_retirement_pending, reading::yes},
    {"retired pages/pending", page_retirement_pending, reading::yes},
    {"reasons/idle", event_reasons, reading::reason, gpu_event_reason::idle},
    {"reasons/gpu idle", event_reasons, reading::reason, gpu_event_reason::idle},
    {"hw slowdown", event_reasons, reading::reason, gpu_event_reason::hardware_slowdown},
    {"hw thermal slowdown", event_reasons, reading::reason, gpu_event_reason::hardware_thermal},
    {"hw power brake slowdown", event_reasons, reading::reason, gpu_event_reason::power_brake},
    {"sw thermal slowdown", event_reasons, reading::reason, gpu_event_reason::software_thermal},
    {"gpu current temp", temperature, reading::number},
    {"gpu slowdown temp", temperature_slowdown, reading::number},
    {"gpu max operating temp", temperature_max, reading::number},
    {"memory current temp", memory_temperature, reading::number},
    {"memory max operating temp", memory_temperature_max, reading::number},
    {"utilization/gpu", utilization, reading::number},
    {"performance state", performance_state, reading::p_state},
    {"pcie generation/max", pcie_generation_max, reading::number},
    {"pcie generation/current", pcie_generation, reading::number},
    {"link width/max", pcie_width_max, reading::number},
    {"link width/current", pcie_width, reading::number},
    {"replays since reset", pcie_replays, reading::number},
    {"enforced power limit", power_limit_enforced, reading::power},
    {"default power limit", power_limit_default, reading::power},
    {"default applications clocks/graphics", application_clock_default, reading::number},
    {"applications clocks/graphics", application_clock, reading::number},
    {"fabric/state", fabric_state, reading::state},
    {"fabric/status", fabric_status, reading::status},
};

struct word {
  std::string_view text; // lower case
  long long value;
};

constexpr std::array<word, 10> switch_words{{{"yes", 1},
                                             {"no", 0},
                                             {"active", 1},
                                             {"not active", 0},
                                             {"enabled", 1},
                                             {"disabled", 0},
                                             {"true", 1},
                                             {"false", 0},
                                             {"on", 1},
                                             {"off", 0}}};
// NVML_GPU_RECOVERY_ACTION_*; "reboot" before the action had more words.
constexpr std::array<word, 10> recovery_words{{{"none", 0},
                                               {"reset", 1},
                                               {"gpu reset", 1},
                                               {"reboot", 2},
                                               {"node reboot", 2},
                                               {"os reboot", 2},
                                               {"drain p2p", 3},
                                               {"drain and reset", 4},
                                               {"recover imex domain", 5},
                                               {"gpu reset required", 1}}};
constexpr std::array<word, 4> fabric_words{
    {{"not supported", 0}, {"not started", 1}, {"in progress", 2}, {"completed", 3}}};

template <std::size_t Size>
std::optional<long long> find_word(const std::array<word, Size> &words, std::string_view text) {
  for (const word &known : words)
    if (known.text == text)
      return known.value;
  return std::nullopt;
}

std::optional<long long> leading_number(std::string_view text) {
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// "N/A", "Unknown Error", "[N/A]" and "GPU is lost" are no value.
std::optional<long long> read_value(const smi_line &line, std::string_view text) {
  const std::string lower = lower_case(text);
  switch (line.how) {
  case reading::number:
    return leading_number(lower);
  case reading::yes:
    return find_word(switch_words, lower);
  case reading::reason:
    if (const auto on = find_word(switch_words, lower))
      return *on * line.detail;
    return std::nullopt;
  case reading::power:
    if (const auto watts = leading_number(lower))
      return *watts * 1000;
    return std::nullopt;
  case reading::recovery:
    return find_word(recovery_words, lower);
  case reading::state:
    return find_word(fabric_words, lower);
  case reading::status:
    if (lower == "success")
      return 0;
    return lower.empty() || lower == "n/a" ? std::nullopt : std::optional(999LL);
  case reading::p_state:
    return lower.starts_with('p') ? leading_number(std::string_view(lower).substr(1)) : std::nullopt;
  }
  return std::nullopt;
}

bool ends_with_path(std::string_view path, std::string_view end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/' || end.starts_with("reasons/"));
}

/// Keeps where a line stands, and the GPU that it speaks of.
class smi_reader {
public:
  explicit smi_reader(std::string_view source) : source_(source) {}

  void take(std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view text = trim(line);
    if (text.empty() || take_gpu(text) || take_inforom(text))
      return;
    while (!sections_.empty() && sections_.back().indent >= indent)
      sections_.pop_back();
    const auto colon = text.find(" : ");
    if (colon == text.npos) {
      if (text.find(':') == text.npos && sections_.size() < most_sections)
        sections_.push_back({indent, lower_case(text)});
      return;
    }
    take_value(lower_case(trim(text.substr(0, colon))), trim(text.substr(colon + 3)), text);
  }

  std::vector<gpu_state> finish() { return std::move(states_); }

private:
  static constexpr std::size_t most_sections = 16;
  struct section {
    std::size_t indent;
    std::string name;
  };

  gpu_state &current() {
    if (states_.empty())
      states_.emplace_back();
    return states_.back();
  }

  /// "GPU 00000000:3B:00.0" begins the next GPU. "GPU 0: NVIDIA ..." is another command's.
  bool take_gpu(std::string_view text) {
    constexpr std::string_view gpu = "GPU ";
    if (!text.starts_with(gpu) || text.find(' ', gpu.size()) != text.npos || text.find('.') == text.npos ||
        text.find(':') == text.npos)
      return false;
    gpu_state state;
    state.index = static_cast<int>(states_.size());
    state.address = short_pci_address(text.substr(gpu.size()));
    states_.push_back(std::move(state));
    sections_.clear();
    return true;
  }

  bool take_inforom(std::string_view text) {
    if (!contains_ignoring_case(text, "infoROM is corrupted"))
      return false;
    const auto at = text.find("gpu ");
    gpu_state *state = &current();
    if (at != text.npos)
      for (gpu_state &one : states_)
        if (one.address == short_pci_address(text.substr(at + 4)))
          state = &one;
    state->statements[inforom_return] = {{14}, source_, std::string(text)};
    return true;
  }

  void take_value(const std::string &key, std::string_view value, std::string_view line) {
    if (key == "product name")
      current().name = value;
    std::string path;
    for (const section &above : sections_)
      path += above.name + "/";
    path += key;
    for (const smi_line &known : known_lines)
      if (ends_with_path(path, known.path)) {
        if (const auto number = read_value(known, value))
          enter(known, *number, path, line);
        return;
      }
  }

  void enter(const smi_line &known, long long number, const std::string &path, std::string_view line) {
    gpu_statement &statement = current().statements[known.quantity];
    const bool is_new = statement.readings.empty();
    const std::string text =
        sections_.empty() ? std::string(line) : fmt::format("{}: {}", path, line.substr(line.find(" : ") + 3));
    if (is_new) {
      statement = {{number}, source_, text};
    } else if (known.how == reading::reason) {
      statement.readings[0] |= number;
    } else if (known.detail == add_up) {
      statement.readings[0] += number;
    } else {
      return; // said before: the first counts
    }
    if (!is_new && number != 0)
      statement.text = is_zero_before(statement, number) ? text : statement.text + "; " + text;
  }

  /// A text that tells of what is not 0 is more use than the first one.
  static bool is_zero_before(const gpu_statement &statement, long long number) {
    return statement.readings[0] == number || statement.text.size() > longest_text;
  }
  static constexpr std::size_t longest_text = 400;

  std::string source_;
  std::vector<section> sections_;
  std::vector<gpu_state> states_;
};

} // namespace

std::vector<gpu_state> parse_smi_query(std::string_view text, std::string_view source) {
  smi_reader reader(source);
  while (!text.empty())
    reader.take(take_line(text));
  std::vector<gpu_state> states = reader.finish();
  std::erase_if(states, [](const gpu_state &state) { return state.statements.empty() && !state.address; });
  return states;
}

} // namespace gpucert
