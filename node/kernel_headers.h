// SPDX-License-Identifier: Apache-2.0
// Which kernels have the headers that a module is built against.
#pragma once

#include "node/reading.h"

#include <string>
#include <vector>

namespace gpucert {

class host;

/// The kernels whose /lib/modules/K/build leads to something. The folder of headers holds thousands of files, so that a
/// capture has the names of the kernels alone, one a line.
fact<std::vector<std::string>> read_kernels_with_headers(host &node);

} // namespace gpucert
