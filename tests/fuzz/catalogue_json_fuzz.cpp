// SPDX-License-Identifier: Apache-2.0
#include "checks/catalogue_json.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_catalogue_json(std::string_view input) {
  try {
    parse_findings(input);
  } catch (const catalogue_error &) { // the one word for what is no catalogue
  }
  try {
    parse_actions(input);
  } catch (const catalogue_error &) {
  }
}

const fuzz_registration registration{
    {"catalogue_json",
     {},
     fuzz_catalogue_json,
     {R"([{"id": "none", "title": "t", "reboot_helps": "no", "steps": [{"text": "a", "command": "b", "why": "c"}]}])",
      R"([{"id": "a.b-c", "area": "a", "severity": "fail", "title": "t", "meaning": "m", "evidence": "e", "action": "none",
          "explained_by": ["a.b-d"], "notes": "n"}])"}}};

} // namespace
} // namespace gpucert
