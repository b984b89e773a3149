// SPDX-License-Identifier: Apache-2.0
// How much one launch does: bytes and operations, stated once beside the kernel and used for rates, rooflines and the
// simulator's cost model.
#pragma once

namespace gpucert {

/// The unit of a GPU that does the arithmetic; tensor formats are with f32 (s8: s32) accumulation.
enum class math_unit { f64, f32, tf32, f16, bf16, f8, s8 };

/// The way that bytes take between host and device.
enum class copy_path { none, host_to_device, device_to_host };

struct work {
  double memory_bytes = 0; // read from and written to device memory, each byte once where caches are ideal
  double operations = 0;   // multiplications and additions; a fused multiply-add counts two
  math_unit unit = math_unit::f32;
  double copied_bytes = 0; // over the link between host and device
  copy_path path = copy_path::none;
  bool is_pinned = true; // host memory of the copy
};

} // namespace gpucert
