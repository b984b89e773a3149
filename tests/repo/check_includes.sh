#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: who may include whom, who may open NVML, and no shell for text from files.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

# The folders that each folder may include, besides its own. A folder that is not named (tests) may include all.
# simulator/ is known outside itself by certify/simulation.* (--simulate) and, in the twin only, by kernels/launch.cuh.
declare -A may_include=(
  [node]="cmake"
  [checks]="node cmake"
  [harness]="kernels cmake"
  [certify]="node checks harness simulator cmake"
  [kernels]="harness simulator"
  [conformance]="kernels harness"
  [bench]="kernels harness"
  [simulator]="kernels node harness"
)
folders="node checks harness certify kernels conformance bench simulator tests cmake"

check_folders() {
  local path line folder included
  while IFS=: read -r path line included; do
    folder=${path%%/*}
    [[ -v may_include[$folder] && $included != "$folder" ]] || continue
    [[ " $folders " == *" $included "* ]] || continue
    [[ " ${may_include[$folder]} " == *" $included "* ]] ||
      complain "$path:$line" "$folder/ may not include $included/ (may: ${may_include[$folder]:-nothing else})"
  done < <(cpp_files | xargs -r -d '\n' awk '
    match($0, /^[ \t]*#[ \t]*include[ \t]*["<][a-z_]+\//) {
      included = substr($0, RSTART, RLENGTH - 1)
      sub(/.*["<]/, "", included)
      print FILENAME ":" FNR ":" included
    }')
}

# The driver is opened by one unit, which runs in a process of its own, and is linked by none.
check_nvml() {
  local path
  while IFS= read -r path; do
    case $path in
      node/nvml* | simulator/* | tests/*) continue ;;
    esac
    if grep -q 'dlopen' "$path" && grep -qE 'lib(nvidia-ml|cuda)\.so' "$path"; then
      complain "$path" "opens the driver; only node/nvml may, in its own process"
    fi
    ! grep -qE '#[ \t]*include[ \t]*[<"]nvml\.h' "$path" ||
      complain "$path" "includes nvml.h, which no build may need; node/nvml declares what is used"
  done < <(cpp_files)
  while IFS= read -r path; do
    ! grep -nE 'CUDA::(nvml|cuda_driver)|-lnvidia-ml|-lcuda( |"|$)' "$path" ||
      complain "$path" "links the driver; it is opened at run time"
  done < <(own_files '*CMakeLists.txt' '*.cmake')
}

# Two places outside simulator/ may include it; the clock and the list of loaded libraries know it by its symbols.
check_simulator() {
  local path
  while IFS= read -r path; do
    case $path in
      simulator/* | tests/* | certify/simulation.cpp | kernels/launch.cuh) continue ;;
    esac
    ! grep -qE '#[ \t]*include[ \t]*"simulator/' "$path" ||
      complain "$path" "includes the simulator; only certify/simulation.cpp and the twin's launch.cuh may"
  done < <(cpp_files)
}

check_shells() {
  local path found
  while IFS= read -r path; do
    # Strings and comments may speak of system(); code may not call it.
    found=$(sed -E 's/"([^"\\]|\\.)*"/""/g; s://.*$::' "$path" | { grep -nE '(^|[^A-Za-z0-9_])(system|popen)[ ]*\(' || true; })
    [[ -z $found ]] || complain "$path:${found%%:*}" "starts a shell; run a program with its arguments"
  done < <(cpp_files)
  while IFS= read -r path; do
    ! grep -nE 'os\.(system|popen) *\(|shell *= *True' "$path" || complain "$path" "starts a shell"
  done < <(own_files '*.py')
}

check_folders
check_simulator
check_nvml
check_shells
exit "$status"
