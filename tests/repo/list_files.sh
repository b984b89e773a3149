# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# Sourced by the rules of the tree: which tracked files there are, by kind, and how a rule speaks.
set -euo pipefail

status=0 # each rule ends with it, which ShellCheck cannot see from here

# open_tree [ROOT]: goes to the tree that is judged; without ROOT it is the one that holds this file.
open_tree() {
  cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
  if [[ ! -e .git ]]; then
    echo "skipped: $PWD is not a git checkout, so it cannot be told which files are tracked"
    exit 77
  fi
  # Where git does not answer (a tree of another user), every rule would find nothing wrong.
  if [[ $(git ls-files | wc -l) == 0 ]]; then
    echo "git names no tracked file in $PWD"
    exit 1
  fi
}

complain() { # FILE TEXT
  echo "$1: $2"
  status=1
}

# Tracked files that are there. A name is never quoted, and none holds a line break (rule names).
tracked_files() {
  local path
  git -c core.quotePath=off ls-files "$@" | while IFS= read -r path; do
    if [[ -f $path && ! -L $path ]]; then
      printf '%s\n' "$path"
    fi
  done
}

# Without captures of nodes: their files are copies of what a node holds, and keep its manner.
own_files() { tracked_files "$@" | { grep -vE '(^|/)(cases|root)/' || true; }; }

cpp_files() { own_files '*.cpp' '*.h' '*.cu' '*.cuh'; }

# Shell scripts by their first line, with what they source.
shell_files() {
  {
    own_files '*.sh'
    own_files | xargs -r -d '\n' awk '
      /^#!.*[\/ ](ba|da)?sh( |$)/ { print FILENAME }
      { nextfile }'
  } | sort -u
}

# Everything that is compiled or run.
source_files() {
  { cpp_files && own_files '*.cmake' '*CMakeLists.txt' '*.py' && shell_files; } | sort -u
}
