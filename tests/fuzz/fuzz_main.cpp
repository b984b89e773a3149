// SPDX-License-Identifier: Apache-2.0
// gpucert-fuzz --target=NAME [--long=BYTES] [options of libFuzzer]
//
// Seeds are the files of tests/nodes that the parser reads in practice, and texts of its own. With --long, libFuzzer
// only runs inputs of that many bytes made of them: what takes quadratic time there meets its time-out.
#include "node/scratch_folder.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace gpucert {
namespace {

constexpr std::size_t most_long_seeds = 4; // of each target; the rest are alike

const fuzz_target *chosen = nullptr;

std::string read_file(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> seeds_of(const fuzz_target &target) {
  std::vector<std::string> seeds(target.texts.begin(), target.texts.end());
  for (const auto &entry : std::filesystem::recursive_directory_iterator(GPUCERT_SOURCE_DIR "/tests/nodes")) {
    const std::string path = entry.path().string();
    if (entry.is_regular_file() && std::any_of(target.seeds.begin(), target.seeds.end(),
                                               [&](std::string_view end) { return path.ends_with(end); }))
      seeds.push_back(read_file(entry.path()));
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

std::string repeated(std::string_view text, std::size_t long_bytes) {
  std::string result;
  while (!text.empty() && result.size() < long_bytes)
    result += text;
  return result;
}

/// Long texts, long lines, and one character over and over.
std::vector<std::string> long_inputs(const std::vector<std::string> &seeds, std::size_t long_bytes) {
  std::vector<std::string> inputs;
  for (std::size_t index = 0; index < std::min(seeds.size(), most_long_seeds); ++index) {
    inputs.push_back(repeated(seeds[index], long_bytes));
    std::string line = inputs.back();
    std::replace(line.begin(), line.end(), '\n', ' ');
    inputs.push_back(std::move(line));
  }
  for (const char letter : std::string_view("\n [](){}<>\"',:;=/|#-.0a\xff"))
    inputs.emplace_back(long_bytes, letter);
  return inputs;
}

std::string write_corpus(const std::vector<std::string> &inputs) {
  static scratch_folder folder("gpucert-fuzz"); // until the program ends
  for (std::size_t index = 0; index < inputs.size(); ++index)
    std::ofstream(folder.path() / std::to_string(index), std::ios::binary) << inputs[index];
  return folder.path().string();
}

const fuzz_target *find_target(std::string_view name) {
  for (const fuzz_target &target : registry<fuzz_target>::units())
    if (target.name == name)
      return &target;
  return nullptr;
}

} // namespace
} // namespace gpucert

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's.
extern "C" int LLVMFuzzerInitialize(int *count, char ***words) {
  using namespace gpucert;
  static std::vector<std::string> kept; // argv must outlive this function
  constexpr std::string_view option = "--target=";
  constexpr std::string_view long_option = "--long=";
  std::size_t long_bytes = 0;
  for (char **word = *words; word != *words + *count; ++word) {
    const std::string_view text(*word);
    if (text.starts_with(option))
      chosen = find_target(text.substr(option.size()));
    else if (text.starts_with(long_option))
      long_bytes = std::stoul(std::string(text.substr(long_option.size())));
    else
      kept.emplace_back(text);
  }
  if (chosen == nullptr) {
    std::cerr << "gpucert-fuzz: name a parser, --target=NAME; tests/fuzz/NAME_fuzz.cpp are\n";
    for (const fuzz_target &target : registry<fuzz_target>::units())
      std::cerr << "  " << target.name << "\n";
    std::exit(64);
  }
  const std::vector<std::string> seeds = seeds_of(*chosen);
  if (seeds.empty() && !chosen->seeds.empty()) {
    std::cerr << "gpucert-fuzz: no file below tests/nodes is a seed of " << chosen->name << "\n";
    std::exit(64);
  }
  if (long_bytes > 0)
    kept.emplace_back("-runs=0");
  kept.push_back(write_corpus(long_bytes > 0 ? long_inputs(seeds, long_bytes) : seeds));
  static std::vector<char *> pointers;
  for (std::string &word : kept)
    pointers.push_back(word.data());
  *count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  *words = pointers.data();
  return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  gpucert::chosen->run({reinterpret_cast<const char *>(data), size});
  return 0;
}
