// SPDX-License-Identifier: Apache-2.0
#include "node/name_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <cstdint>
#include <fnmatch.h>
#include <pcre2.h>

namespace gpucert {
namespace {

constexpr std::size_t longest_pattern = 4096;
constexpr std::uint32_t most_steps = 100000; // a name of 100 letters needs some hundred

} // namespace

void name_pattern::release::operator()(pcre2_real_code_8 *code) const { pcre2_code_free(code); }

name_pattern::name_pattern(std::string_view pattern, letters how) {
  if (pattern.size() > longest_pattern)
    return;
  int error = 0;
  std::size_t at = 0;
  const std::uint32_t options = PCRE2_ANCHORED | PCRE2_NEVER_UTF | (how == letters::either_case ? PCRE2_CASELESS : 0U);
  // A pointer to code units is what the library takes.
  code_.reset(
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options, &error, &at, nullptr));
}

bool name_pattern::matches(std::string_view name) const {
  if (!code_)
    return false;
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> found(
      pcre2_match_data_create_from_pattern(code_.get(), nullptr), &pcre2_match_data_free);
  const std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> bounds(
      pcre2_match_context_create(nullptr), &pcre2_match_context_free);
  pcre2_set_match_limit(bounds.get(), most_steps);
  pcre2_set_depth_limit(bounds.get(), most_steps);
  return pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(name.data()), name.size(), 0, 0, found.get(),
                     bounds.get()) >= 0;
}

bool matches_glob(const std::string &glob, const std::string &name) {
  return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

} // namespace gpucert
