// SPDX-License-Identifier: Apache-2.0
#include "certify/json_text.h"
#include "certify/monitoring_view.h"
#include "certify/pasted_report.h"
#include "certify/report.h"
#include "certify/stack_json.h"
#include "certify/text_view.h"
#include "tests/fuzz/fuzz_target.h"

#include <cstdlib>

namespace gpucert {
namespace {

void fuzz_judge_stack(std::string_view input) {
  const report run = make_report("pasted text", false, judge_pasted(input));
  const auto document = nlohmann::ordered_json::parse(json_text(stack_to_json(run.stack, 0)));
  if (stack_to_json(stack_from_json(document), 0) != document)
    std::abort(); // what was written reads otherwise
  text_view(run);
  nagios_view(run);
  npd_view(run);
  prometheus_view(run);
}

const fuzz_registration registration{
    {"judge_stack",
     {"commands/nvidia_smi.txt", "commands/dmesg.txt", "commands/nvidia_smi_q.txt", "commands/dkms_status.txt",
      "symptoms/cuda_error.txt", "symptoms/container_error.txt"},
     fuzz_judge_stack}};

} // namespace
} // namespace gpucert
