// SPDX-License-Identifier: Apache-2.0
// docs/findings.md, written from the catalogue so that the two cannot differ.
#pragma once

#include "checks/catalogue.h"

#include <string>

namespace gpucert {

/// The page as Markdown: every finding under its area, in catalogue order, with the steps of its action.
std::string findings_page(const catalogue &entries);

} // namespace gpucert
