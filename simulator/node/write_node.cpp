// SPDX-License-Identifier: Apache-2.0
// gpucert-simulated-node FOLDER PROFILES WHAT: writes the capture of a simulated node, as in
//   gpucert-simulated-node /tmp/node build/release/lib/simulator/profiles h200x8,module-older
#include "simulator/node/node_tree.h"

#include <cstdio>
#include <exception>

int main(int argc, char **argv) {
  using namespace gpucert::simulator;
  constexpr int failure = 3;
  constexpr int wrong_usage = 64;
  if (argc != 4) {
    std::fputs("usage: gpucert-simulated-node FOLDER PROFILES PROFILE[xN][,FAULT[:ARGUMENT]]...\n", stderr);
    return wrong_usage;
  }
  try {
    write_simulated_node(argv[1], parse_simulation(argv[2], argv[3]));
    return 0;
  } catch (const wrong_simulation &error) {
    std::fprintf(stderr, "gpucert-simulated-node: %s\n", error.what());
    return wrong_usage;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gpucert-simulated-node: %s\n", error.what());
    return failure;
  }
}
