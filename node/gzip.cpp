// SPDX-License-Identifier: Apache-2.0
#include "node/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace gpucert {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";

class inflate_stream {
public:
  inflate_stream() {
    // 16 asks zlib for a gzip header, and for nothing else.
    if (inflateInit2(&stream_, MAX_WBITS + 16) != Z_OK)
      throw std::bad_alloc{}; // the only other reasons are a foreign zlib or wrong arguments
  }
  ~inflate_stream() { inflateEnd(&stream_); }
  inflate_stream(const inflate_stream &) = delete;
  inflate_stream &operator=(const inflate_stream &) = delete;

  /// Inflates one member from the front of `bytes` onto `text`, and takes what it read off `bytes`.
  inflate_end read_member(std::string_view &bytes, std::string &text, std::size_t limit_bytes) {
    inflateReset(&stream_);
    std::array<char, 65536> block;
    for (;;) {
      // zlib counts in 32 bits. It reads through a pointer to non-const, and never writes there.
      const auto offered = static_cast<uInt>(std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max()));
      stream_.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
      stream_.avail_in = offered;
      stream_.next_out = reinterpret_cast<Bytef *>(block.data());
      stream_.avail_out = static_cast<uInt>(block.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      bytes.remove_prefix(offered - stream_.avail_in);

      const std::size_t made = block.size() - stream_.avail_out;
      const std::size_t room = limit_bytes - text.size();
      text.append(block.data(), std::min(made, room));
      if (made > room)
        return inflate_end::limit;
      if (result == Z_STREAM_END)
        return inflate_end::complete;
      if (result == Z_BUF_ERROR || (result == Z_OK && bytes.empty() && made < block.size()))
        return inflate_end::truncated;
      if (result != Z_OK)
        return inflate_end::damaged;
    }
  }

private:
  z_stream stream_{};
};

} // namespace

std::optional<inflated_text> inflate_gzip(std::string_view bytes, std::size_t limit_bytes) {
  if (!bytes.starts_with(gzip_magic))
    return std::nullopt;
  inflated_text result{{}, inflate_end::complete};
  inflate_stream stream;
  while (result.end == inflate_end::complete && bytes.starts_with(gzip_magic))
    result.end = stream.read_member(bytes, result.text, limit_bytes);
  if (result.end == inflate_end::complete && bytes.find_first_not_of('\0') != bytes.npos)
    result.end = inflate_end::damaged;
  return result;
}

std::string deflate_gzip(std::string_view text) {
  z_stream stream{};
  constexpr int gzip_wrapper = 16, memory_level = 8; // added to the window bits; zlib's default level
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_wrapper, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(::deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data())); // NOLINT: zlib does not write to it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data()); // NOLINT: bytes are bytes
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH); // deflateBound has made sure that one call is enough
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

} // namespace gpucert
