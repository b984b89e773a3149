// SPDX-License-Identifier: Apache-2.0
#include "node/reported_message.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_reported_message(std::string_view input) {
  std::vector<reported_message> found;
  find_reported_messages("symptoms/app_error.txt", input, found);
  for (const reported_message &message : found)
    is_from_container(message);
}

const fuzz_registration registration{
    {"reported_message",
     {"symptoms/cuda_error.txt", "symptoms/container_error.txt", "symptoms/modprobe_error.txt",
      "symptoms/loader_error.txt", "commands/nvidia_smi.txt", "commands/journal_fabricmanager.txt"},
     fuzz_reported_message}};

} // namespace
} // namespace gpucert
