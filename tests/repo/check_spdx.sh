#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: the first line of a source names its licence; in a script that is the line after "#!" (or ShellCheck's word).
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

while IFS= read -r path; do
  line=$(awk '/^#!/ || /^# shellcheck / { next } { print; exit }' "$path")
  [[ $line =~ ^(//|#)\ SPDX-License-Identifier:\ Apache-2\.0$ ]] ||
    complain "$path" "the first line is not 'SPDX-License-Identifier: Apache-2.0' in a comment"
done < <(source_files)
exit "$status"
