// SPDX-License-Identifier: Apache-2.0
#include "simulator/faults/fault_list.h"

#include <algorithm>
#include <charconv>

namespace gpucert::simulator {
namespace {

/// What stands behind the colon.
enum class argument_form { none, count, count_or_case, percent, count_and_code };

struct fault_row {
  fault_description description;
  argument_form form;
};

constexpr fault_row rows[] = {
    {{fault_name::module_older, "module-older", "", "user space is newer than the loaded kernel module"},
     argument_form::none},
    {{fault_name::no_module, "no-module", "", "the kernel module is not loaded"}, argument_form::none},
    {{fault_name::context_hang, "context-hang", "", "the first call that creates a CUDA context never returns"},
     argument_form::none},
    {{fault_name::wrong_gemm_element, "wrong-gemm-element", "N", "one element of the Nth GEMM is wrong", "1"},
     argument_form::count},
    {{fault_name::copy_bit_flip, "copy-bit-flip", "N", "one bit of the Nth copy to the host is flipped", "1"},
     argument_form::count},
    {{fault_name::crash, "crash", "CASE_ID|N", "SIGSEGV in the first launch of a case, or in the Nth launch", "2"},
     argument_form::count_or_case},
    {{fault_name::hang, "hang", "N", "the Nth launch of each process never ends", "2"}, argument_form::count},
    {{fault_name::slow_memory, "slow-memory", "PERCENT", "device memory is slower by so many percent", "40"},
     argument_form::percent},
    {{fault_name::driver_too_old, "driver-too-old", "", "the driver is of CUDA 12.2, older than this build needs"},
     argument_form::none},
    {{fault_name::launch_error, "launch-error", "N:CODE", "the Nth launch fails with this CUDA error", "2:719"},
     argument_form::count_and_code},
    {{fault_name::malloc_fail, "malloc-fail", "N", "the Nth cudaMalloc finds no memory", "1"}, argument_form::count},
    {{fault_name::ecc_uncorrected, "ecc-uncorrected", "", "an uncorrectable memory error was counted"},
     argument_form::none},
    {{fault_name::thermal_throttle, "thermal-throttle", "", "clocks are lowered by heat"}, argument_form::none},
    {{fault_name::xid, "xid", "NUMBER", "the kernel log holds this Xid", "79"}, argument_form::count},
    {{fault_name::system_not_ready, "system-not-ready", "TRIES", "the first tries find CUDA error 802", "99"},
     argument_form::count},
    {{fault_name::missing_gpu, "missing-gpu", "", "PCI shows one GPU more than the driver"}, argument_form::none},
};

std::optional<long long> parse_count(std::string_view text) {
  long long number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size() || number < 1)
    return std::nullopt;
  return number;
}

[[noreturn]] void refuse_argument(const fault_row &row, std::string_view argument) {
  throw wrong_simulation("simulated fault " + std::string(row.description.word) + ": argument '" +
                         std::string(argument) + "', expected " +
                         (row.form == argument_form::none ? "none" : std::string(row.description.argument)));
}

fault parse_argument(const fault_row &row, std::string_view argument) {
  fault made{row.description.name, parse_count(argument), std::nullopt, std::string(argument)};
  switch (row.form) {
  case argument_form::none:
    if (!argument.empty())
      refuse_argument(row, argument);
    break;
  case argument_form::count:
    if (!made.number)
      refuse_argument(row, argument);
    break;
  case argument_form::count_or_case:
    if (argument.empty())
      refuse_argument(row, argument);
    break;
  case argument_form::percent:
    if (!made.number || *made.number > 99)
      refuse_argument(row, argument);
    break;
  case argument_form::count_and_code:
    const auto colon = argument.find(':');
    made.number = parse_count(argument.substr(0, colon));
    if (colon != argument.npos)
      made.second_number = parse_count(argument.substr(colon + 1));
    if (!made.number || !made.second_number)
      refuse_argument(row, argument);
    break;
  }
  return made;
}

} // namespace

const std::vector<fault_description> &known_faults() {
  static const std::vector<fault_description> all = [] {
    std::vector<fault_description> descriptions;
    for (const fault_row &row : rows)
      descriptions.push_back(row.description);
    return descriptions;
  }();
  return all;
}

fault_list fault_list::parse(std::string_view text) {
  fault_list list;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::string_view word = item.substr(0, item.find(':'));
    const auto row = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const fault_row &each) { return each.description.word == word; });
    if (row == std::end(rows)) {
      std::string known;
      for (const fault_row &each : rows)
        known.append(known.empty() ? "" : ", ").append(each.description.word);
      throw wrong_simulation("no simulated fault '" + std::string(word) + "' (known: " + known + ")");
    }
    list.faults_.push_back(
        parse_argument(*row, item.size() > word.size() ? item.substr(word.size() + 1) : row->description.usual));
  }
  return list;
}

const fault *fault_list::find(fault_name name) const {
  const auto found = std::find_if(faults_.begin(), faults_.end(), [&](const fault &each) { return each.name == name; });
  return found == faults_.end() ? nullptr : &*found;
}

} // namespace gpucert::simulator
