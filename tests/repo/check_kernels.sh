#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: whatever can be launched has a conformance test. kernels/NAME.cu, and kernels/NAME.h that states the work of a
# launch (work_of_...), need conformance/NAME_test.cpp or conformance/NAME_PROPERTY_test.cpp that includes kernels/NAME.h.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

# planted_faults is wrong on purpose, and proves that the tests of the sound kernels find it; empty does nothing that could
# be wrong; probe is verified wherever it runs, by gpucert-ready.
exceptions="planted_faults empty probe"

launchable() {
  {
    own_files 'kernels/*.cu'
    own_files 'kernels/*.h' | xargs -r -d '\n' grep -lE '^work work_of_' -- || true
  } | sed -E 's|^kernels/||; s|\.[a-z]+$||' | sort -u
}

while IFS= read -r name; do
  [[ " $exceptions " != *" $name "* ]] || continue
  has_test=no
  while IFS= read -r path; do
    if grep -qF "#include \"kernels/$name.h\"" "$path"; then
      has_test=yes
    fi
  done < <(own_files "conformance/${name}_test.cpp" "conformance/${name}_*_test.cpp")
  [[ $has_test == yes ]] ||
    complain "kernels/$name" "has no conformance/${name}_test.cpp that includes kernels/$name.h"
done < <(launchable)
exit "$status"
