// SPDX-License-Identifier: Apache-2.0
// Included before everything else where the host compiler builds kernels/*.cu: what only nvcc supplies.
#pragma once

#include "simulator/twin/keywords.h"
// Above before below.
#include "simulator/twin/atomics.h"
#include "simulator/twin/half.h"
#include "simulator/twin/math.h"
#include "simulator/twin/threads.h"
#include "simulator/twin/warp.h"
