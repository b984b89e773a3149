#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: files are in snake_case and named after what they are; utils, helper, common, misc and manager name nothing.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

while IFS= read -r path; do
  name=${path##*/}
  stem=${name%%.*}
  case $name in
    CMakeLists.txt | README.md | CONTRIBUTING.md | CHANGELOG.md) continue ;;
  esac
  [[ $name =~ ^[a-z0-9_]+(\.[a-z0-9_]+)*$ ]] || complain "$path" "not snake_case"
  # As words of the name, in one or many: command_line stays, common_code and memory_utils go. Fabric Manager is a
  # program's own name.
  [[ ! _${stem//fabric_manager/}_ =~ _(utils?|helpers?|common|misc|managers?)_ ]] ||
    complain "$path" "'${BASH_REMATCH[1]}' does not say what the file is"
  if [[ $name == *.sh && ! $stem =~ ^[a-z]+(_[a-z0-9]+)+$ ]]; then
    complain "$path" "a script is named verb_noun.sh"
  fi
done < <({ source_files && own_files '*.md'; } | sort -u)

# Names that the rules, and xargs, could not read back.
while IFS= read -r -d '' path; do
  [[ $path != *$'\n'* ]] || complain "${path@Q}" "a line break in a name"
done < <(git ls-files -z)
exit "$status"
