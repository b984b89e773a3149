// SPDX-License-Identifier: Apache-2.0
// gpucert-nvml: asks NVML everything that gpucert wants to know, and prints nvml.json. A program of its own, so that a
// library that hangs or crashes takes nothing else with it.
#include "node/nvml/query.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace {

enum exit_code { exit_done = 0, exit_internal_error = 3, exit_wrong_usage = 64 };

bool print(const nlohmann::ordered_json &document) {
  // Names come from the library; a byte that is no UTF-8 must not cost the whole document.
  const std::string text = document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

int run(const std::string &library_name) {
  std::string error;
  const auto library = gpucert::nvml_library::open(library_name, error);
  if (!library)
    std::fprintf(stderr, "gpucert-nvml: %s\n", error.c_str());
  if (!print(library ? gpucert::read_nvml(*library) : gpucert::nvml_without_library())) {
    std::fprintf(stderr, "gpucert-nvml: cannot write to standard output\n");
    return exit_internal_error;
  }
  if (library)
    if (const auto shutdown = library->find(gpucert::nvml_abi::shutdown))
      shutdown->call();
  return exit_done;
}

} // namespace

int main(int argc, char **argv) {
  try {
    CLI::App app{"Asks NVML about driver and GPUs and prints the answers as nvml.json.\n"
                 "Exits 0 whatever NVML answers, 64 on wrong usage, 3 on an internal error."};
    std::string library = "libnvidia-ml.so.1"; // the name that the driver's packages promise
    app.add_option("--library", library, "Load this library instead of libnvidia-ml.so.1")->type_name("PATH");
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
      return app.exit(error) == 0 ? exit_done : exit_wrong_usage;
    }
    return run(library);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gpucert-nvml: internal error: %s\n", error.what());
    return exit_internal_error;
  }
}
