#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_programs ROOT NAME [options of cmake]: builds the programs of a node into build/nightly/NAME, with every warning an
# error. What only warns all the same, as nvcc and ptxas do, fails as well. To be sourced.

build_programs() {
  local root=$1 build=$1/build/nightly/$2 log
  shift 2
  log=$build/build.log
  mkdir -p "$build"
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++ \
    -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' -DGPUCERT_WERROR=ON -DGPUCERT_TESTS=OFF --log-level=WARNING "$@" || return
  if ! cmake --build "$build" --target gpucert_programs >"$log" 2>&1; then
    grep -A 8 -E '^FAILED|error:' "$log" | head -n 100
    return 1
  fi
  ! grep -i 'warning' "$log"
}
