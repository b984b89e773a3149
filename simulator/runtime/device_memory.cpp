// SPDX-License-Identifier: Apache-2.0
#include "simulator/runtime/device_memory.h"

#include "simulator/engine/address_sanitizer.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace gpucert::simulator {
namespace {

constexpr std::size_t alignment = 512;            // of cudaMalloc on recent GPUs
constexpr std::size_t gap_bytes = 512;            // between allocations; poisoned under AddressSanitizer
constexpr std::size_t context_bytes = 500U << 20; // that a CUDA context takes from the free memory
constexpr int fresh_byte = 0xa5;
// Larger allocations get garbage at both ends only: a test of all the memory would else need that much on the host.
constexpr std::size_t fully_filled_bytes = std::size_t{256} << 20;
constexpr std::size_t returned_bytes = std::size_t{1} << 20; // released memory of this size goes back to the host

std::size_t with_gap(std::size_t bytes) { return (bytes + gap_bytes + alignment - 1) / alignment * alignment; }

void fill_with_garbage(std::byte *start, std::size_t bytes) {
  if (bytes <= fully_filled_bytes) {
    std::memset(start, fresh_byte, bytes);
    return;
  }
  std::memset(start, fresh_byte, fully_filled_bytes / 2);
  std::memset(start + bytes - fully_filled_bytes / 2, fresh_byte, fully_filled_bytes / 2);
}

} // namespace

device_memory::device_memory(std::size_t capacity_bytes)
    : capacity_bytes_(capacity_bytes),
      reserved_bytes_(2 * capacity_bytes), // a real GPU does not fragment: it has pages
      used_bytes_(std::min(context_bytes, capacity_bytes)) {
  void *mapped =
      mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    throw std::bad_alloc();
  base_ = static_cast<std::byte *>(mapped);
}

device_memory::~device_memory() {
  unpoison_memory(base_, next_);
  munmap(base_, reserved_bytes_);
}

void *device_memory::allocate(std::size_t bytes) {
  const std::size_t taken = with_gap(bytes);
  if (bytes > free_bytes() || taken < bytes)
    return nullptr;
  std::byte *start = nullptr;
  if (const auto reusable = released_.find(taken); reusable != released_.end()) {
    start = reusable->second;
    released_.erase(reusable);
  } else if (next_ + taken <= reserved_bytes_) {
    start = base_ + next_;
    next_ += taken;
  } else {
    return nullptr;
  }
  unpoison_memory(start, bytes);
  fill_with_garbage(start, bytes);
  poison_memory(start + bytes, taken - bytes);
  live_.emplace(start, bytes);
  used_bytes_ += bytes;
  return start;
}

bool device_memory::release(void *start) {
  auto *const first = static_cast<std::byte *>(start);
  const auto found = live_.find(first);
  if (found == live_.end())
    return false;
  const std::size_t bytes = found->second;
  if (bytes >= returned_bytes) {
    unpoison_memory(first, bytes);
    madvise(first, bytes, MADV_DONTNEED);
  }
  poison_memory(first, with_gap(bytes));
  released_.emplace(with_gap(bytes), first);
  used_bytes_ -= bytes;
  live_.erase(found);
  return true;
}

bool device_memory::contains(const void *address) const {
  const auto *const at = static_cast<const std::byte *>(address);
  return at >= base_ && at < base_ + reserved_bytes_;
}

std::optional<device_memory::allocation> device_memory::find(const void *address) const {
  const auto *const at = static_cast<const std::byte *>(address);
  auto after = live_.upper_bound(at);
  if (after == live_.begin())
    return std::nullopt;
  --after;
  if (at > after->first + after->second)
    return std::nullopt;
  return allocation{const_cast<std::byte *>(after->first), after->second};
}

bool device_memory::holds(const void *start, std::size_t bytes) const {
  const auto found = find(start);
  if (!found)
    return false;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte *>(start) - found->start);
  return bytes <= found->bytes - offset;
}

} // namespace gpucert::simulator
