// SPDX-License-Identifier: Apache-2.0
// Errors: their names, and the last one of each thread.
#include "simulator/runtime/error_table.h"
#include "simulator/runtime/process.h"

using namespace gpucert::simulator;

extern "C" {

const char *cudaGetErrorName(cudaError_t error) {
  const error_row *row = find_error(error);
  return row ? row->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const error_row *row = find_error(error);
  if (!row)
    return "unrecognized error code";
  return *row->text != '\0' ? row->text : row->name;
}

cudaError_t cudaPeekAtLastError() {
  process_state &process = process_state::instance();
  const std::lock_guard lock(process.mutex);
  if (!process.devices.empty())
    if (const cudaError_t sticky = process.current().sticky_error; sticky != cudaSuccess)
      return sticky;
  return last_error();
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  // With no usable driver the real runtime keeps returning 35 (observed with 13.0).
  if (error != cudaErrorInsufficientDriver)
    last_error() = cudaSuccess;
  return error;
}

} // extern "C"
