// SPDX-License-Identifier: Apache-2.0
// What NVML answered, read from nvml.json: printed by gpucert-nvml just now, or stored in a capture.
// Format: schema "gpucert-nvml-replay-1", part of the capture directory.
#pragma once

#include "node/driver_version.h"

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gpucert {

/// One line on an NVML return code: "driver not loaded" for 9.
std::string_view nvml_return_name(int ret);

/// An argument of an NVML function under its name in nvml.h: {"counterType", 1}.
struct nvml_argument {
  std::string name;
  long long value;

  friend auto operator<=>(const nvml_argument &, const nvml_argument &) = default;
};
using nvml_arguments = std::vector<nvml_argument>; // in any order

/// The answers of a set of functions, or of fields. Speaks as the library would: a function that was not recorded
/// returns 13, recorded with other arguments 3. A function asked by its newest name also answers from an older one
/// (nvmlInit for nvmlInit_v2) when only that was recorded.
class nvml_answers {
public:
  using number_or_text = std::variant<long long, std::string>;

  struct answer {
    std::optional<nvml_arguments> arguments; // sorted; absent: holds for any
    int ret = 0;
    std::vector<number_or_text> samples; // one for `value`; several when read repeatedly; none when not stated
    std::map<std::string, number_or_text, std::less<>> members;
  };
  using map = std::map<std::string, std::vector<answer>, std::less<>>;

  /// `ret_if_absent`: what a name that was not recorded returns.
  explicit nvml_answers(int ret_if_absent, map answers = {})
      : ret_if_absent_(ret_if_absent), answers_(std::move(answers)) {}

  int ret(std::string_view function, nvml_arguments arguments = {}) const;

  /// The result, present only with ret 0. `reading` counts from 0; after the last sample it stays at that.
  std::optional<long long> value(std::string_view function, nvml_arguments arguments = {},
                                 std::size_t reading = 0) const;
  /// How often it was read: 0 where value() has nothing to say.
  std::size_t readings(std::string_view function, nvml_arguments arguments = {}) const;
  std::optional<std::string> text(std::string_view function) const;

  /// A member of the result structure by its name in nvml.h.
  std::optional<long long> values(std::string_view function, std::string_view member) const;
  std::optional<std::string> values_text(std::string_view function, std::string_view member) const;

private:
  struct lookup {
    int ret;
    const answer *found; // null unless ret is 0
  };
  lookup find(std::string_view function, nvml_arguments arguments) const;

  int ret_if_absent_;
  map answers_;
};

struct nvml_device {
  int index;
  nvml_answers functions;
  nvml_answers fields; // a field that was not recorded returns 3

  std::optional<std::string> bus_id; // as NVML writes it, with 8 digits of domain: "00000000:3B:00.0"
  std::optional<std::string> name;

  std::optional<long long> field(std::string_view field_name) const { return fields.value(field_name); }
};

struct nvml_record {
  nvml_answers functions; // those without a device
  std::vector<nvml_device> devices;

  std::optional<int> init_return;            // absent: nvmlInit was not recorded under any name
  std::optional<std::string> driver_version; // of the kernel module, as NVML states it
  std::optional<std::string> nvml_version_text;
  std::optional<nvml_version> library_version; // the driver release in it: 550.54.15 of "12.550.54.15"
  std::optional<int> cuda_driver_version;      // of libcuda: 12040 for 12.4
  std::optional<int> device_count;
  std::optional<std::string> library_path; // absent: none was loaded, or the capture does not say

  std::optional<long long> value(std::string_view function) const { return functions.value(function); }
};

struct nvml_parse_result {
  std::optional<nvml_record> record;
  std::string error; // why there is none
};

/// Takes any text. Refuses what is not nvml.json rather than reading half of it; members that it does not know are
/// passed over.
nvml_parse_result parse_nvml_record(std::string_view json);

} // namespace gpucert
