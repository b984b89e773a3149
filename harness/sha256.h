// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for libraries that carry no build id.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpucert {

class sha256 {
public:
  void add(std::string_view bytes);
  /// The digest in hexadecimal; nothing may be added afterwards.
  std::string finish();

private:
  static constexpr std::size_t block_bytes = 64;

  void add_block(const unsigned char *block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, block_bytes> pending_{};
  std::size_t pending_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

} // namespace gpucert
