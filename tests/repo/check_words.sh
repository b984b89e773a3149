#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: the project speaks only of itself: no path of somebody's machine, and no word on who or what wrote it.
# A line that must hold such a word is named in allowed_words.txt, as "PATH:TEXT": a file and a text in that line.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

allowed=tests/repo/allowed_words.txt
searched=(':!LICENSE' ":!$allowed" ':(exclude,glob)**/cases/**' ':(exclude,glob)**/root/**')
start='(^|[^A-Za-z0-9_.}/-])' # of an absolute path; DIR/root and ${dir}/root are others

is_allowed() { # PATH TEXT
  local path text
  [[ -f $allowed ]] || return 1
  while IFS=: read -r path text; do
    [[ $path == "$1" && -n $text && $2 == *"$text"* ]] && return 0
  done <"$allowed"
  return 1
}

# refuse PATTERN EXCEPTION REASON: no tracked line may match PATTERN, unless it matches EXCEPTION.
refuse() {
  local path line text
  while IFS=: read -r path line text; do
    [[ -n $2 && $text =~ $2 ]] && continue
    is_allowed "$path" "$text" || complain "$path:$line" "$3"
  done < <(git -c core.quotePath=off grep -nIE "$1" -- "${searched[@]}")
}

escape() { printf '%s' "$1" | sed -E 's/[][().^$*+?{}|\\]/\\&/g'; }

# Below /root/, the tree of a capture has a node's folders, a home has not.
refuse "$start/root/[A-Za-z.]" '/root/(proc|sys|dev|etc|var|usr|lib|boot|run|opt|home)' 'a path of a developer'\''s machine'
# The invented people of test data are welcome.
refuse "$start/home/[A-Za-z]" '/home/(user|alice|bob|NAME)([^a-z]|$)' 'a path of a developer'\''s machine (invented: user, alice, bob)'
for checkout in "$PWD" "$(dirname "$(git rev-parse --path-format=absolute --git-common-dir)")"; do
  [[ $checkout == /*/* ]] || continue # the name of one folder could be any word
  refuse "$start$(escape "$checkout")(/|[^A-Za-z0-9_.-]|\$)" '' 'the path of this checkout'
done
# Brackets keep these patterns from finding themselves.
refuse '\b[A]I\b|\b[Aa]ssistants?\b|\b[Cc]hatbot|\b[Cc]opilot\b|\b[C]hat ?GPT' '' 'speaks of who wrote it, not of the project'
exit "$status"
