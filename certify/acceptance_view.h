// SPDX-License-Identifier: Apache-2.0
// The part of a report that an acceptance run adds, as text: verdicts first, then each GPU, then what was not covered.
#pragma once

#include "certify/acceptance_record.h"
#include "certify/text_page.h"
#include "certify/verdict.h"

namespace gpucert {

void write_acceptance(text_page &out, const acceptance_record &record, const verdicts &drawn);

} // namespace gpucert
