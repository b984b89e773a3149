// SPDX-License-Identifier: Apache-2.0
#include "node/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace gpucert {
namespace {

std::string deflate_gzip(std::string text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string bytes(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef *>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

constexpr std::size_t no_limit = 1 << 24;
const std::string line = "Start-Date: 2024-04-13  06:28:16\n";

TEST(gzip, reads_members_in_a_row_and_padding) {
  const auto read = inflate_gzip(deflate_gzip(line) + deflate_gzip("End-Date\n") + std::string(512, '\0'), no_limit);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text, line + "End-Date\n");
  EXPECT_EQ(read->end, inflate_end::complete);
}

TEST(gzip, text_is_not_gzip) {
  EXPECT_FALSE(inflate_gzip(line, no_limit));
  EXPECT_FALSE(inflate_gzip("", no_limit));
  EXPECT_FALSE(inflate_gzip("\x1f", no_limit));
}

TEST(gzip, every_truncation_gives_a_beginning_and_says_so) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += std::to_string(i * 7919) + line;
  const std::string whole = deflate_gzip(text);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const auto read = inflate_gzip(std::string_view{whole}.substr(0, size), no_limit);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->end, inflate_end::truncated) << size;
    EXPECT_TRUE(text.starts_with(read->text)) << size;
  }
  EXPECT_EQ(inflate_gzip(whole, no_limit)->text, text);
}

TEST(gzip, wrong_checksum_and_foreign_bytes_are_damage) {
  std::string flipped = deflate_gzip(line);
  flipped[flipped.size() - 8] ^= 1; // first byte of the CRC
  EXPECT_EQ(inflate_gzip(flipped, no_limit)->end, inflate_end::damaged);
  const auto foreign = inflate_gzip(deflate_gzip(line) + "rubbish", no_limit);
  EXPECT_EQ(foreign->end, inflate_end::damaged);
  EXPECT_EQ(foreign->text, line) << "what was read before the damage is kept";
}

TEST(gzip, bomb_stops_at_the_limit) {
  const std::string bomb = deflate_gzip(std::string(20'000'000, '\0'));
  EXPECT_LT(bomb.size(), 30'000u);
  const auto read = inflate_gzip(bomb, 1000);
  EXPECT_EQ(read->end, inflate_end::limit);
  EXPECT_EQ(read->text.size(), 1000u);
}

TEST(gzip, text_as_long_as_the_limit_is_complete) {
  EXPECT_EQ(inflate_gzip(deflate_gzip(line), line.size())->end, inflate_end::complete);
  EXPECT_EQ(inflate_gzip(deflate_gzip(line), line.size() - 1)->end, inflate_end::limit);
}

} // namespace
} // namespace gpucert
