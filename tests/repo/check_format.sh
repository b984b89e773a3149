#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: C++ and CUDA sources are formatted as .clang-format says.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

# Each release of clang-format breaks some lines in another way; one of them has to be the measure.
measure=14
version=$(clang-format --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
if [[ $version != "$measure" ]]; then
  echo "skipped: the measure is clang-format $measure, and here is ${version:-none}"
  exit 77
fi
cpp_files | xargs -r -d '\n' clang-format --dry-run -Werror || complain "format" "run: clang-format -i FILE"
exit "$status"
