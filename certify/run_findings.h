// SPDX-License-Identifier: Apache-2.0
// What the programs on the GPUs found, as findings of the catalogue, so that they and the driver stack's own findings
// are diagnosed together: a CUDA error is a consequence as soon as its cause is known.
#pragma once

#include "certify/acceptance_record.h"
#include "checks/finding.h"

#include <vector>

namespace gpucert {

/// Pure. One finding for each kind of fault on each GPU, with the cases as evidence.
std::vector<finding> judge_runs(const acceptance_record &record);

} // namespace gpucert
