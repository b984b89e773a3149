// SPDX-License-Identifier: Apache-2.0
// Which libraries a process runs on: memory maps as text, digests of real files.
#include "harness/elf_build_id.h"
#include "harness/loaded_libraries.h"
#include "harness/sha256.h"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace gpucert {
namespace {

// Of a process on driver 580.65.06, shortened.
constexpr const char *recorded_maps =
    R"(55d1c6a00000-55d1c6a20000 r--p 00000000 fe:00 1311 /opt/gpucert/bin/gpucert-bench
7f1e00000000-7f1e00021000 rw-p 00000000 00:00 0 
7f1e10000000-7f1e10200000 rw-s 00000000 00:06 512                        /dev/nvidiactl
7f1e21c00000-7f1e21e00000 r--p 00000000 fe:00 2201                       /usr/lib/x86_64-linux-gnu/libcuda.so.580.65.06
7f1e21e00000-7f1e22600000 r-xp 00200000 fe:00 2201                       /usr/lib/x86_64-linux-gnu/libcuda.so.580.65.06
7f1e30000000-7f1e31000000 r--p 00000000 fe:00 2210                       /usr/local/cuda-13.0/lib64/libcublasLt.so.13.0.0.19
7f1e52000000-7f1e52100000 r--p 00000000 fe:00 2211                       /usr/local/cuda-13.0/lib64/libcublas.so.13.0.0.19
7f1e52800000-7f1e52900000 r--p 00000000 fe:00 2212                       /opt/my tools/libcudart.so.13.0.48
7f1e53000000-7f1e53100000 r--p 00000000 fe:00 2213                       /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.65.06 (deleted)
7f1e53500000-7f1e53600000 r--p 00000000 fe:00 2214                       /usr/lib/x86_64-linux-gnu/libcudadebugger.so.580.65.06
7f1e53700000-7f1e53800000 r--p 00000000 fe:00 2215                       /usr/lib/x86_64-linux-gnu/libc.so.6
7f1e53900000-7f1e53a00000 r--p 00000000 fe:00 2216                       /venv/nvidia/libcudart-d0da41ae.so.11.0
7ffd1b5e1000-7ffd1b602000 rw-p 00000000 00:00 0                          [stack]
)";

TEST(loaded_libraries, recorded_map_names_each_file_once) {
  const std::vector<mapped_library> expected{
      {"libcuda", "/usr/lib/x86_64-linux-gnu/libcuda.so.580.65.06"},
      {"libcublasLt", "/usr/local/cuda-13.0/lib64/libcublasLt.so.13.0.0.19"},
      {"libcublas", "/usr/local/cuda-13.0/lib64/libcublas.so.13.0.0.19"},
      {"libcudart", "/opt/my tools/libcudart.so.13.0.48"},
      {"libnvidia-ml", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.65.06 (deleted)"},
      {"libcudart", "/venv/nvidia/libcudart-d0da41ae.so.11.0"},
  };
  EXPECT_EQ(parse_mapped_libraries(recorded_maps), expected);
}

TEST(loaded_libraries, torn_and_foreign_lines_name_nothing) {
  EXPECT_TRUE(parse_mapped_libraries("").empty());
  EXPECT_TRUE(parse_mapped_libraries("7f1e21c00000-7f1e21e00000 r--p\nlibcuda.so.1\n   \n").empty());
  EXPECT_TRUE(parse_mapped_libraries("1-2 r--p 0 fe:00 1 libcuda.so.1\n").empty()) << "not a file";
}

TEST(loaded_libraries, this_process_runs_on_no_cuda) {
  EXPECT_TRUE(read_loaded_libraries().empty());
  EXPECT_EQ(find_in_loaded_library("libcudart", "gpucert_simulator_now_us"), nullptr);
}

TEST(loaded_libraries, build_id_of_a_real_file) {
  // The one that this program was linked with: tests/CMakeLists.txt.
  EXPECT_EQ(read_library_digest("/proc/self/exe"), "build-id:0123456789abcdef00ff");
}

TEST(loaded_libraries, file_without_build_id_is_known_by_its_contents) {
  const std::string path = testing::TempDir() + "gpucert_no_build_id_" + std::to_string(getpid());
  std::ofstream(path) << "abc";
  EXPECT_EQ(read_library_digest(path), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  unlink(path.c_str());
  EXPECT_EQ(read_library_digest(path), "");
}

std::string note(std::uint32_t type, std::string_view name, std::string_view description) {
  const auto word = [](std::size_t value) {
    const auto bytes = static_cast<std::uint32_t>(value);
    return std::string(reinterpret_cast<const char *>(&bytes), sizeof bytes);
  };
  const auto padded = [](std::string_view text) {
    return std::string(text) + std::string((4 - text.size() % 4) % 4, '\0');
  };
  return word(name.size()) + word(description.size()) + word(type) + padded(name) + padded(description);
}

const std::string_view gnu{"GNU\0", 4};

TEST(build_id, is_found_behind_other_notes) {
  const std::string others = note(1, gnu, "version") + note(3, "GPL\0", "not GNU's");
  EXPECT_EQ(parse_build_id(others + note(3, gnu, "\x01\xab")), "01ab");
  EXPECT_FALSE(parse_build_id(others));
}

TEST(build_id, sizes_beyond_the_end_are_no_note) {
  std::string torn = note(3, gnu, "\x01\x02\x03\x04");
  for (std::size_t size = 0; size < torn.size(); ++size)
    EXPECT_FALSE(parse_build_id(std::string_view{torn}.substr(0, size))) << size;
  torn[0] = '\xff';
  torn[1] = torn[2] = torn[3] = '\xff';
  EXPECT_FALSE(parse_build_id(torn));
}

struct sha256_vector {
  const char *name;
  std::string text;
  const char *digest;
};

class sha256_test : public testing::TestWithParam<sha256_vector> {};

TEST_P(sha256_test, agrees_in_one_and_in_many_pieces) {
  sha256 whole;
  whole.add(GetParam().text);
  EXPECT_EQ(whole.finish(), GetParam().digest);
  sha256 pieces;
  for (std::size_t at = 0; at < GetParam().text.size(); at += 7)
    pieces.add(std::string_view{GetParam().text}.substr(at, 7));
  EXPECT_EQ(pieces.finish(), GetParam().digest);
}

// The examples of FIPS 180-4, and lengths around the padding's own from sha256sum of GNU coreutils.
INSTANTIATE_TEST_SUITE_P(
    vectors, sha256_test,
    testing::Values(
        sha256_vector{"empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        sha256_vector{"abc", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        sha256_vector{"two_blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        sha256_vector{"a_million_a", std::string(1'000'000, 'a'),
                      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
        sha256_vector{"a_55", std::string(55, 'a'), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        sha256_vector{"a_56", std::string(56, 'a'), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        sha256_vector{"a_64", std::string(64, 'a'),
                      "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"}),
    [](const auto &tested) { return tested.param.name; });

} // namespace
} // namespace gpucert
