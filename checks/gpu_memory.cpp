// SPDX-License-Identifier: Apache-2.0
// Check gpu_memory: is the memory of each GPU sound? Errors that were corrected are worth watching, errors that were
// not have cost data, and some states mean that the board must be replaced.
#include "checks/check.h"
#include "node/evidence.h"

#include <algorithm>

namespace gpucert {
namespace {

using enum gpu_quantity;

// DCGM calls a GPU with more corrected errors than this worth a look (DCGM_LIMIT_MAX_SBE_RATE).
constexpr long long most_corrected_errors = 10;
// Before Ampere: NVIDIA replaces a board with 63 pages retired (of 64), and looks at it from 15 double bit errors on.
constexpr long long pages_for_replacement = 63, pages_to_watch = 15;
// NVIDIA's policy for row remapping: more remaps than the GPU has spare rows for.
constexpr long long rows_for_replacement = 512;

/// A finding of `id` on this quantity of this GPU.
finding &report(std::string_view id, const gpu_state &gpu, gpu_quantity quantity, std::string_view what,
                judgement &result) {
  const gpu_statement *statement = gpu.find(quantity);
  return result.add(id).saw("{}: {}", gpu.label(), what).read_from(statement->source, statement->text);
}

long long count_of(const gpu_state &gpu, gpu_quantity quantity) { return gpu.value(quantity).value_or(0); }

/// New uncorrectable errors (Xid 48, 171) and a new remap (63) in this boot, although rows had been remapped before.
bool keeps_failing(const node_evidence &node, const gpu_state &gpu) {
  if (count_of(gpu, rows_remapped_uncorrected) < 2 || !node.log.is_known()) // one is the new remap itself
    return false;
  const bool is_only_gpu = node.gpu_states->size() == 1;
  const auto has_xid = [&](std::initializer_list<int> wanted) {
    return std::any_of(node.log->xids.begin(), node.log->xids.end(), [&](const xid_event &event) {
      return !event.is_sxid && std::find(wanted.begin(), wanted.end(), event.xid) != wanted.end() &&
             (gpu.address ? event.address == gpu.address : is_only_gpu);
    });
  };
  return has_xid({48, 171}) && has_xid({63});
}

void judge_replacement(const node_evidence &node, const gpu_state &gpu, judgement &result) {
  constexpr std::string_view id = "hw.memory-replacement-due";
  constexpr std::string_view policy = "none of NVIDIA's criteria for a replacement";
  if (gpu.is(sram_threshold_exceeded, 1))
    report(id, gpu, sram_threshold_exceeded, "uncorrectable SRAM errors are above the limit for replacement", result)
        .expected("{}", policy);
  if (const long long banks = count_of(gpu, banks_none); banks > 0)
    report(id, gpu, banks_none, fmt::format("{} memory banks have no spare row left", banks), result)
        .expected("{}", policy);
  for (const gpu_quantity kind : {rows_remapped_uncorrected, rows_remapped_corrected})
    if (count_of(gpu, kind) > rows_for_replacement)
      report(id, gpu, kind, fmt::format("{} rows remapped", count_of(gpu, kind)), result)
          .expected("at most {} rows", rows_for_replacement);
  const long long pages = count_of(gpu, pages_retired_single) + count_of(gpu, pages_retired_double);
  if (pages >= pages_for_replacement)
    report(id, gpu, gpu.find(pages_retired_double) != nullptr ? pages_retired_double : pages_retired_single,
           fmt::format("{} memory pages retired", pages), result)
        .expected("fewer than {} pages", pages_for_replacement);
  if (keeps_failing(node, gpu))
    report(id, gpu, rows_remapped_uncorrected,
           fmt::format("uncorrectable errors came back in this boot, with {} rows remapped",
                       count_of(gpu, rows_remapped_uncorrected)),
           result)
        .expected("no new uncorrectable error after rows were remapped")
        .read_from(node.log.source, "Xid 48 or 171, and 63");
}

void judge_repairs(const gpu_state &gpu, judgement &result) {
  if (gpu.is(row_remap_failed, 1))
    report("hw.row-remap-failed", gpu, row_remap_failed, "a row could not be remapped", result)
        .expected("spare rows for every repair");
  if (gpu.is(row_remap_pending, 1))
    report("hw.row-remap-pending", gpu, row_remap_pending, "a row remap waits for a GPU reset", result)
        .expected("no repair pending");
  if (gpu.is(page_retirement_pending, 1))
    report("hw.row-remap-pending", gpu, page_retirement_pending, "a page retirement waits for a GPU reset", result)
        .expected("no repair pending");
}

void judge_errors(const gpu_state &gpu, judgement &result) {
  if (const long long errors = count_of(gpu, uncorrected_since_load); errors > 0)
    report("hw.ecc-uncorrected", gpu, uncorrected_since_load,
           fmt::format("{} uncorrectable memory errors since the driver was loaded", errors), result)
        .expected("none");
}

/// Only where nothing worse is to be said of the same memory.
void judge_watch(const gpu_state &gpu, judgement &result) {
  constexpr std::string_view id = "hw.memory-watch";
  const long long rows = count_of(gpu, rows_remapped_uncorrected);
  const long long pages = count_of(gpu, pages_retired_single) + count_of(gpu, pages_retired_double);
  if (rows > 0)
    report(id, gpu, rows_remapped_uncorrected, fmt::format("{} rows were remapped after uncorrectable errors", rows),
           result)
        .expected("none, or no more than at the last check");
  else if (count_of(gpu, banks_low) > 0)
    report(id, gpu, banks_low, fmt::format("{} memory banks have few spare rows left", count_of(gpu, banks_low)),
           result)
        .expected("spare rows in every bank");
  else if (pages >= pages_to_watch)
    report(id, gpu, gpu.find(pages_retired_double) != nullptr ? pages_retired_double : pages_retired_single,
           fmt::format("{} memory pages retired", pages), result)
        .expected("fewer than {} pages", pages_to_watch);
  if (const long long errors = count_of(gpu, corrected_since_load); errors > most_corrected_errors)
    report(id, gpu, corrected_since_load, fmt::format("{} corrected memory errors since the driver was loaded", errors),
           result)
        .expected("at most {}", most_corrected_errors);
}

void judge_gpu_memory(const node_evidence &node, const expectations &, judgement &result) {
  if (!node.gpu_states.is_known())
    return; // check gpu_answers says so
  for (const gpu_state &gpu : *node.gpu_states) {
    const std::size_t before = result.findings().size();
    judge_repairs(gpu, result);
    judge_replacement(node, gpu, result);
    judge_errors(gpu, result);
    if (result.findings().size() == before)
      judge_watch(gpu, result);
  }
}

const check_registration registration{
    {"gpu_memory", "has the memory of a GPU errors, or repairs that wait or failed?", false, judge_gpu_memory}};

} // namespace
} // namespace gpucert
