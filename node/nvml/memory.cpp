// SPDX-License-Identifier: Apache-2.0
// Queries: memory, its errors and its repairs.
#include "node/nvml/answer_forms.h"

namespace gpucert {
namespace {

using namespace nvml_forms;
namespace abi = nvml_abi;

/// The number of pages retired for each cause; their addresses are of no use to a check.
ordered_json ask_retired_pages(const nvml_scope &, auto call) {
  std::vector<ordered_json> answers;
  for (const auto cause : {abi::retirement_cause::single_bit_errors, abi::retirement_cause::double_bit_error}) {
    // A GPU retires at most 64 pages, which is when it must be replaced.
    std::array<unsigned long long, 512> addresses{};
    std::array<unsigned long long, 512> timestamps{};
    unsigned count = addresses.size();
    const return_code ret = call(cause, &count, addresses.data(), timestamps.data());
    ordered_json answer{{"args", {{"cause", number_of(cause)}}}, {"ret", number_of(ret)}};
    if (ret == return_code::success)
      answer["value"] = count;
    answers.push_back(std::move(answer));
  }
  return merge_calls(std::move(answers));
}

} // namespace

nvml_queries nvml_memory_queries() {
  const argument error{"errorType",
                       {number_of(abi::memory_error::corrected), number_of(abi::memory_error::uncorrected)}};
  const argument counter{"counterType",
                         {number_of(abi::ecc_counter::since_driver_load), number_of(abi::ecc_counter::lifetime)}};
  const argument location{"locationType",
                          {number_of(abi::memory_location::dram), number_of(abi::memory_location::sram)}};
  using sram = abi::sram_ecc_status;
  using histogram = abi::row_remapper_histogram;
  return {
      structure(abi::device_memory, member{"total", &abi::memory::total}, member{"free", &abi::memory::free},
                member{"used", &abi::memory::used}),
      versioned_structure(abi::device_memory_v2, abi::memory_v2_tag, member{"total", &abi::memory_v2::total},
                          member{"reserved", &abi::memory_v2::reserved}, member{"free", &abi::memory_v2::free},
                          member{"used", &abi::memory_v2::used}),
      structure(abi::device_bar1_memory, member{"bar1Total", &abi::bar1_memory::total},
                member{"bar1Free", &abi::bar1_memory::free}, member{"bar1Used", &abi::bar1_memory::used}),
      values(abi::device_ecc_mode, "current", "pending"),
      value(abi::device_default_ecc_mode),
      calls(abi::device_total_ecc_errors, error, counter),
      calls(abi::device_memory_error_counter, error, counter, location),
      versioned_structure(
          abi::device_sram_ecc_status, abi::sram_ecc_status_tag,
          member{"aggregateUncParity", &sram::aggregate_unc_parity},
          member{"aggregateUncSecDed", &sram::aggregate_unc_sec_ded}, member{"aggregateCor", &sram::aggregate_cor},
          member{"volatileUncParity", &sram::volatile_unc_parity},
          member{"volatileUncSecDed", &sram::volatile_unc_sec_ded}, member{"volatileCor", &sram::volatile_cor},
          member{"aggregateUncBucketL2", &sram::aggregate_unc_bucket_l2},
          member{"aggregateUncBucketSm", &sram::aggregate_unc_bucket_sm},
          member{"aggregateUncBucketPcie", &sram::aggregate_unc_bucket_pcie},
          member{"aggregateUncBucketMcu", &sram::aggregate_unc_bucket_mcu},
          member{"aggregateUncBucketOther", &sram::aggregate_unc_bucket_other},
          member{"bThresholdExceeded", &sram::threshold_exceeded}),
      values(abi::device_remapped_rows, "corrRows", "uncRows", "isPending", "failureOccurred"),
      structure(abi::device_row_remapper_histogram, member{"max", &histogram::max}, member{"high", &histogram::high},
                member{"partial", &histogram::partial}, member{"low", &histogram::low},
                member{"none", &histogram::none}),
      custom(abi::device_retired_pages,
             [](const nvml_scope &scope, auto call) { return ask_retired_pages(scope, call); }),
      value(abi::device_retired_pages_pending),
  };
}

} // namespace gpucert
