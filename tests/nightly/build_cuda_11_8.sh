#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The suite builds with CUDA 11.8, and that build judges drivers from 450 on: build_cuda_11_8.sh ROOT. The toolkit comes
# from scripts/fetch_fixtures --nightly.
set -euo pipefail
root=$1
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/build_programs.sh"

toolkit=$root/build/fixtures/cuda_11_8
[[ -d $toolkit ]] || {
  echo "skipped: no CUDA 11.8; scripts/fetch_fixtures --nightly fetches it"
  exit 77
}
build_programs "$root" cuda_11_8 -DCMAKE_CUDA_COMPILER="$toolkit/bin/nvcc" \
  -DCMAKE_CUDA_HOST_COMPILER="$toolkit/gcc/usr/bin/g++-11"

# expect_accept SIMULATION EXIT_CODE WORD: what it says of a simulated node, and of the drivers that it can judge.
expect_accept() {
  local output code=0
  output=$(mktemp -d)
  # shellcheck disable=SC2064 # this folder, now
  trap "rm -rf '$output'" EXIT
  "$root/build/nightly/cuda_11_8/bin/gpucert" accept --simulate "$1" --level quick --output "$output/run" \
    --format json >"$output/report.json" || code=$?
  python3 - "$output/report.json" "$code" "$@" <<'END'
import json, sys
path, code, simulation, wanted_code, wanted_word = sys.argv[1:]
report = json.load(open(path, encoding="utf-8"))
acceptance, service = report["acceptance"], report["verdicts"]["return_to_service"]
seen = (code, service["word"], acceptance["judged_drivers"], acceptance["build_cuda_version"])
if seen != (wanted_code, wanted_word, "450 and newer", 11080):
    sys.exit(f"{simulation}: {seen}: {service['reasons']}")
END
  rm -rf "$output"
}

for profile in h200 a100 t4; do
  expect_accept "$profile" 0 PASS
done
# A driver of CUDA 12.2 is too old for a build with CUDA 13, and not for this one.
expect_accept h200,driver-too-old 0 PASS
expect_accept h200,wrong-gemm-element 2 FAIL
