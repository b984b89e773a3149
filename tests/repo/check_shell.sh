#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: shell scripts pass ShellCheck and are formatted by shfmt, two blanks and indented cases.
source "$(dirname "${BASH_SOURCE[0]}")/list_files.sh"
open_tree "$@"

shell_files | xargs -r -d '\n' shellcheck -x || complain "shellcheck" "see above"
shell_files | xargs -r -d '\n' shfmt -d -i 2 -ci || complain "shfmt" "run: shfmt -w -i 2 -ci FILE"
exit "$status"
