// SPDX-License-Identifier: Apache-2.0
// The settings of this process.
#include "harness/run_settings.h"

namespace gpucert {
namespace {

run_settings settings_of_process; // set before the first case, read by the cases

} // namespace

const run_settings &current_settings() { return settings_of_process; }

void set_current_settings(const run_settings &settings) { settings_of_process = settings; }

} // namespace gpucert
