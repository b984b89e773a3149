#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The GPU programs build without a warning for every architecture that the toolkit knows:
# build_all_architectures.sh ROOT NVCC.
set -euo pipefail
root=$1 nvcc=$2
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/build_programs.sh"

mapfile -t architectures < <("$nvcc" --list-gpu-arch | sed -n 's/^compute_\([0-9]*\)$/\1/p')
((${#architectures[@]} > 0)) || {
  echo "$nvcc --list-gpu-arch names no architecture"
  exit 1
}
list=$(
  IFS=';'
  echo "${architectures[*]}"
)
echo "architectures: $list"
build_programs "$root" all_architectures -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES="$list"
