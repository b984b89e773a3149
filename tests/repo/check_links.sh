#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: relative links in Markdown lead to tracked files or folders.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

# Prints PATH:LINE:TARGET for each link, outside of fenced blocks and code spans.
read_links() {
  own_files '*.md' | xargs -r -d '\n' awk '
    FNR == 1 { fenced = 0 }
    /^ *(```|~~~)/ { fenced = !fenced; next }
    fenced { next }
    {
      text = $0
      gsub(/`[^`]*`/, "", text)
      if (match(text, /^ *\[[^]]+\]:[ \t]*[^ \t]+/)) {
        target = substr(text, RSTART, RLENGTH)
        sub(/^ *\[[^]]+\]:[ \t]*/, "", target)
        print FILENAME ":" FNR ":" target
      }
      while (match(text, /\]\([^)]*\)/)) {
        target = substr(text, RSTART + 2, RLENGTH - 3)
        sub(/[ \t]+".*$/, "", target)
        print FILENAME ":" FNR ":" target
        text = substr(text, RSTART + RLENGTH)
      }
    }'
}

while IFS=: read -r path line target; do
  [[ ! $target =~ ^([a-z]+:|#|//) ]] || continue # another place, or this page
  target=${target%%#*}
  folder=$(dirname "$path")
  resolved=$(realpath -m --relative-to=. "$folder/$target")
  if [[ $target == /* || $resolved == ..* ]]; then
    complain "$path:$line" "the link '$target' leaves the tree"
  elif [[ $resolved != . && -z $(git ls-files -- ":(literal)$resolved" | head -n 1) ]]; then
    complain "$path:$line" "the link '$target' leads nowhere"
  fi
done < <(read_links)
exit "$status"
