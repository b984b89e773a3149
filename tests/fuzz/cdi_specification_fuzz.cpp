// SPDX-License-Identifier: Apache-2.0
#include "node/cdi_specification.h"
#include "tests/fuzz/fuzz_target.h"

namespace gpucert {
namespace {

void fuzz_cdi_specification(std::string_view input) {
  parse_cdi_specification("/etc/cdi/nvidia.yaml", input);
  parse_cdi_specification("/etc/cdi/nvidia.json", input);
}

const fuzz_registration registration{
    {"cdi_specification",
     {},
     fuzz_cdi_specification,
     {"cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ncontainerEdits:\n  deviceNodes:\n  - path: /dev/nvidiactl\n  hooks:\n  "
      "- args:\n    - nvidia-ctk\n    hookName: createContainer\n    path: /usr/bin/nvidia-ctk\n  mounts:\n  - "
      "containerPath: /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.15\n    hostPath: "
      "\"/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.15\"\n",
      "{\"cdiVersion\": \"0.5.0\", \"kind\": \"nvidia.com/gpu\", \"containerEdits\": {\"mounts\": [{\"hostPath\": "
      "\"/usr/lib64/libcuda.so.550.54.15\", \"options\": [\"ro\"]}]}}"}}};

} // namespace
} // namespace gpucert
