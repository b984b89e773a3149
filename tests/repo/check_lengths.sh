#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: a source stays under 400 lines (warning), and never passes 600 (failure): split it by unit.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

while IFS= read -r path; do
  lines=$(wc -l <"$path")
  if ((lines > 600)); then
    complain "$path" "$lines lines, at most 600"
  elif ((lines > 400)); then
    echo "warning: $path: $lines lines, should stay under 400"
  fi
done < <(source_files)
exit "$status"
