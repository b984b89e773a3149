// SPDX-License-Identifier: Apache-2.0
// Names and texts of CUDA's errors.
#pragma once

namespace gpucert::simulator {

struct error_row {
  int number;
  const char *name; // cudaErrorInvalidValue
  const char *text; // empty: the name says it
};

/// Null for a number that is no error.
const error_row *find_error(int number);

} // namespace gpucert::simulator
