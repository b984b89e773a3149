#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: git holds nothing that is built or fetched, and no file over 1 MB.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

max_bytes=1000000
while IFS= read -r path; do
  complain "$path" "tracked, although .gitignore leaves it out"
done < <(git -c core.quotePath=off ls-files --cached --ignored --exclude-standard)

while IFS= read -r path; do
  bytes=$(stat -c %s "$path")
  ((bytes <= max_bytes)) || complain "$path" "$bytes bytes, at most $max_bytes"
done < <(tracked_files)

while IFS= read -r path; do
  case /$path in
    /build*/* | */CMakeCache.txt | */compile_commands.json | */__pycache__/* | \
      *.o | *.obj | *.a | *.so | *.pyc | *.ptx | *.cubin | *.fatbin | *.gcda | *.gcno | *.deb | *.rpm | *.whl)
      complain "$path" "is built, not written"
      continue
      ;;
  esac
  [[ $(head -c 4 "$path" | tr -d '\0') != $'\x7fELF' ]] || complain "$path" "is a program or library"
done < <(own_files)
exit "$status"
