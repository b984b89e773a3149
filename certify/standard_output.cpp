// SPDX-License-Identifier: Apache-2.0
#include "certify/standard_output.h"

#include "node/file_descriptor.h"
#include "node/wrong_input.h"

#include <cstring>

namespace gpucert {

void print(std::string_view text) {
  // A reader that has seen enough (`| head`) closes the pipe: no fault of the node and none of the program.
  if (!write_all(STDOUT_FILENO, text) && errno != EPIPE)
    throw unreadable_input(std::string("standard output: ") + std::strerror(errno), "write the output elsewhere");
}

} // namespace gpucert
