// SPDX-License-Identifier: Apache-2.0
// The memory of one simulated GPU: a range of addresses that nothing else uses, with a gap behind each allocation.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace gpucert::simulator {

class device_memory {
public:
  struct allocation {
    std::byte *start = nullptr;
    std::size_t bytes = 0;
  };

  explicit device_memory(std::size_t capacity_bytes);
  ~device_memory();
  device_memory(const device_memory &) = delete;
  device_memory &operator=(const device_memory &) = delete;

  /// Memory filled with garbage (0xa5), aligned to 512 bytes. Null when it does not fit.
  void *allocate(std::size_t bytes);
  /// False when `start` is not the start of an allocation.
  bool release(void *start);

  bool contains(const void *address) const;
  /// The allocation that holds `address`, or ends at it.
  std::optional<allocation> find(const void *address) const;
  bool holds(const void *start, std::size_t bytes) const;

  std::size_t capacity_bytes() const { return capacity_bytes_; }
  std::size_t free_bytes() const { return capacity_bytes_ - used_bytes_; }

private:
  std::size_t capacity_bytes_;
  std::size_t reserved_bytes_;
  std::size_t used_bytes_;
  std::byte *base_ = nullptr;
  std::size_t next_ = 0; // bytes of the range that were ever given out
  std::map<const std::byte *, std::size_t> live_;
  std::multimap<std::size_t, std::byte *> released_; // by bytes with the gap
};

} // namespace gpucert::simulator
