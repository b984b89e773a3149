// SPDX-License-Identifier: Apache-2.0
// Exit codes of the GPU programs; the same as gpucert's own.
#pragma once

namespace gpucert {

enum class program_exit {
  passed = 0,  // every case passed or was skipped with a reason
  failed = 2,  // a case failed or could not be carried out
  unknown = 3, // nothing ran, not everything ran, or the program itself failed
  usage = 64,  // of the command line
};

} // namespace gpucert
