// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_format.h"

#include <stdexcept>

namespace gpucert {
namespace {

struct format_facts {
  gemm_format format;
  std::string_view name;
  std::size_t input_bytes;
  std::size_t output_bytes;
  math_unit unit;
};

template <gemm_format Format> constexpr format_facts facts_for(std::string_view name, math_unit unit) {
  using elements = gemm_elements<Format>;
  return {Format, name, sizeof(typename elements::input), sizeof(typename elements::output), unit};
}

constexpr format_facts formats[] = {
    facts_for<gemm_format::f32>("f32", math_unit::f32), facts_for<gemm_format::tf32>("tf32", math_unit::tf32),
    facts_for<gemm_format::f16>("f16", math_unit::f16), facts_for<gemm_format::bf16>("bf16", math_unit::bf16),
    facts_for<gemm_format::s8>("s8", math_unit::s8),    facts_for<gemm_format::f8>("f8", math_unit::f8),
};

const format_facts &facts_of(gemm_format format) {
  for (const format_facts &facts : formats)
    if (facts.format == format)
      return facts;
  throw std::invalid_argument("no such GEMM format");
}

} // namespace

std::string_view name_of(gemm_format format) { return facts_of(format).name; }
std::size_t input_bytes_of(gemm_format format) { return facts_of(format).input_bytes; }
std::size_t output_bytes_of(gemm_format format) { return facts_of(format).output_bytes; }
math_unit unit_of(gemm_format format) { return facts_of(format).unit; }

} // namespace gpucert
