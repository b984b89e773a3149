#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that each rule of the tree can fail: plants one fault in a small tree of its own and expects the rule to name it.
set -euo pipefail

rules=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_root=$(cd "$rules/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Tests of the user's own git settings these are not.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
status=0
planted=0

spdx='// SPDX-License-Identifier: Apache-2.0\n'
hash_spdx='# SPDX-License-Identifier: Apache-2.0\n'
script="#!/usr/bin/env bash\n$hash_spdx"

# new_tree: an empty tree with the settings of this one, tracked by git.
new_tree() {
  tree=$(mktemp -d "$work/tree.XXXXXX")
  git -C "$tree" init -q
  cp "$source_root"/{.clang-format,.clang-tidy,.gitignore,.shellcheckrc,.editorconfig} "$tree"
}

put() { # PATH CONTENT, with the escapes of printf
  mkdir -p "$tree/$(dirname "$1")"
  printf '%b' "$2" >"$tree/$1"
  git -C "$tree" add -f "$1"
}

# judge NAME WANTED MESSAGE COMMAND...: WANTED is green or red; a red rule must say MESSAGE.
judge() {
  local name=$1 wanted=$2 message=$3 output result=green
  shift 3
  planted=$((planted + 1))
  output=$("$@" 2>&1) || result=red
  if [[ $result != "$wanted" ]]; then
    echo "$name: is $result, should be $wanted: $output"
    status=1
  elif [[ $result == red && $output != *"$message"* ]]; then
    echo "$name: does not say '$message': $output"
    status=1
  fi
}

# plant RULE WANTED PATH CONTENT [MESSAGE]: a red rule must at least name the file.
plant() {
  new_tree
  put "$3" "$4"
  judge "$1 on $3" "$2" "${5-$3}" "$rules/check_$1.sh" "$tree"
}

plant format green node/fan.cpp 'int fan() { return 1; }\n'
plant format red node/fan.cpp 'int  fan( ) {return 1;}\n'
plant format red kernels/fan.cuh 'int  fan( ) {return 1;}\n'

plant shell green scripts/go "${script}echo \"\$1\"\n"
plant shell red scripts/go "${script}echo \$1\n"
plant shell red tests/run_it.sh "${script}if true; then\n      echo x\nfi\n"

plant spdx green node/fan.h "$spdx// A fan.\n"
plant spdx green scripts/go "${script}true\n"
plant spdx red node/fan.h '// A fan.\n'
plant spdx red scripts/go '#!/bin/sh\ntrue\n'
plant spdx red cmake/fan.cmake 'set(a b)\n'
plant spdx red tests/read_it.py '#!/usr/bin/env python3\nimport os\n'
plant spdx green tests/cases/x/root/etc/rc.sh 'of a node\n'

plant lengths green node/fan.cpp "$(printf '%0600d' 0 | sed 's/0/x\\n/g')"
plant lengths red node/fan.cpp "$(printf '%0601d' 0 | sed 's/0/x\\n/g')"

plant names green node/command_line.cpp ''
plant names green docs/measuring.md ''
plant names red node/FanSpeed.cpp ''
plant names red docs/fan-speed.md ''
plant names red node/fan_utils.h ''
plant names red node/helper_fan.h ''
plant names red node/fan_common.cpp ''
plant names red node/misc.cpp ''
plant names red node/process_manager.h ''
plant names red tests/check.sh ''

plant includes green certify/a.cpp '#include "checks/check.h"\n#include "node/x.h"\n#include <fmt/core.h>\n'
plant includes green tests/a_test.cpp '#include "certify/a.h"\n#include "kernels/a.h"\n'
plant includes red node/a.cpp '#include "checks/check.h"\n' 'node/a.cpp:1'
plant includes red node/a.cpp '#  include <certify/report.h>\n'
plant includes red checks/a.cpp '#include "certify/report.h"\n'
plant includes red certify/a.cpp '#include "kernels/triad.h"\n'
plant includes red kernels/a.cuh '#include "bench/sampler.h"\n'
plant includes red conformance/a.cpp '#include "bench/sampler.h"\n'
plant includes green node/nvml/library.cpp 'auto h = dlopen("libnvidia-ml.so.1", 1);\n'
plant includes red node/pci.cpp 'auto h = dlopen("libnvidia-ml.so.1", 1);\n'
plant includes red certify/a.cpp 'const char *name = "libcuda.so.1";\nauto h = dlopen(name, 1);\n'
plant includes green node/libraries.cpp '// finds the file only\nconst char *name = "libnvidia-ml.so.1";\n'
plant includes red node/a.cpp '#include <nvml.h>\n'
plant includes red node/CMakeLists.txt 'target_link_libraries(a PRIVATE CUDA::nvml)\n'
plant includes green node/a.cpp '// never system()\nauto text = "popen(";\nint s = filesystem(1);\n'
plant includes red node/a.cpp 'int s = std::system(text);\n' 'node/a.cpp:1'
plant includes red certify/a.cpp 'FILE *f = popen("ls", "r");\n'
plant includes red tests/read_it.py 'subprocess.run(text, shell=True)\n'

plant kernels red kernels/fan.cu '' 'kernels/fan: has no conformance/fan_test.cpp'
plant kernels red kernels/fan.h 'work work_of_fan(int blades);\n' 'kernels/fan: has no'
plant kernels green kernels/fan.h 'struct fan {};\n'
plant kernels green kernels/planted_faults.cu ''
for test in fan_test fan_speed_test; do
  new_tree
  put kernels/fan.cu ''
  put "conformance/$test.cpp" '#include "kernels/fan.h"\n'
  judge "kernels with $test" green '' "$rules/check_kernels.sh" "$tree"
done
new_tree
put kernels/fan.cu ''
put conformance/fan_test.cpp '#include "kernels/heater.h"\n'
judge 'kernels with a test of something else' red 'kernels/fan: has no' "$rules/check_kernels.sh" "$tree"

# The planted words are split, so that the rule does not find them here.
plant words green node/a.cpp '// DIR/root/etc and /home/alice, and "/root/proc" below a capture\n'
plant words green tests/cases/x/root/etc/passwd '/home/''jdoe\n'
plant words red node/a.cpp '// seen in /home/''jdoe/src\n' 'node/a.cpp:1'
plant words red docs/a.md 'Run `/ro''ot/gpucert`.\n'
plant words red scripts/go 'cd /ro''ot/src\n'
plant words red docs/a.md 'Written by an assist''ant.\n'
plant words red docs/a.md 'Written by A''I.\n'
new_tree
put docs/a.md "See $tree/docs.\n"
judge 'words on the path of the checkout' red 'docs/a.md:1' "$rules/check_words.sh" "$tree"
new_tree
put docs/a.md 'As in /home/''jdoe.\n'
put tests/repo/allowed_words.txt 'docs/a.md:As in /home\n'
judge 'words on an allowed line' green '' "$rules/check_words.sh" "$tree"

plant links green README.md '[a](#part) [b](https://x.example/y) [c](README.md#d) `[e](f)`\n```\n[g](h)\n```\n'
plant links red README.md 'see [this](docs/absent.md)\n' 'README.md:1'
plant links red docs/a.md 'ok\n[x]: ../absent.md\n' 'docs/a.md:2'
plant links red docs/a.md '[x](../../outside.md)\n' 'leaves the tree'
new_tree
put docs/a.md '[up](../README.md) [folder](../docs/) ![picture](a.svg "title")\n'
put README.md '[down](docs/a.md)\n'
put docs/a.svg ''
judge 'links between two pages' green '' "$rules/check_links.sh" "$tree"

plant tracked green docs/a.md 'text\n'
plant tracked red build/release/a.txt 'text\n'
plant tracked red node/a.o ''
plant tracked red tools/a '\x7fELF\x02\x01'
plant tracked red docs/big.svg "$(printf '%01000001d' 0)"

new_tree
judge 'a rule on a tree that git knows nothing of' red 'no tracked file' "$rules/check_spdx.sh" "$tree"

# Programs: built here, since no rule on programs can be shown on text.
new_tree
put a.cpp '#include <iostream>\nint main() { std::cout << 1; }\n'
mkdir "$tree/shared" "$tree/static" "$tree/none"
g++ -o "$tree/shared/gpucert" "$tree/a.cpp"
g++ -static-libstdc++ -Wl,--gc-sections -o "$tree/static/gpucert" "$tree/a.cpp"
judge 'glibc on a program with a shared libstdc++' red 'libstdc++.so.6' "$rules/check_glibc.sh" "$tree/shared"
judge 'glibc on nothing' red 'skipped' "$rules/check_glibc.sh" "$tree/none"
if [[ $(getconf GNU_LIBC_VERSION) == 'glibc 2.36' ]]; then # where the rule judges versions, and has one to find
  judge 'glibc on a program of its own' green '' "$rules/check_glibc.sh" "$tree/static"
  put new.cpp 'extern "C" unsigned arc4random();\nint main() { return arc4random() == 0; }\n'
  g++ -o "$tree/none/gpucert" "$tree/new.cpp"
  judge 'glibc on a call of glibc 2.36' red 'GLIBC_2.36' "$rules/check_glibc.sh" "$tree/none"
fi

# plant_tidy WANTED CONTENT MESSAGE: as a build would see it.
plant_tidy() {
  new_tree
  put node/a.cpp "$2"
  mkdir "$tree/build"
  printf 'rule cc\n  command = g++ -c -MMD -MF a.d -o $out $in\n  depfile = a.d\n  deps = gcc\nbuild a.o: cc %s\n' \
    "$tree/node/a.cpp" >"$tree/build/build.ninja"
  ninja -C "$tree/build" >/dev/null
  printf '[{"directory": "%s", "command": "g++ -o a.o -c %s", "file": "%s"}]' \
    "$tree/build" "$tree/node/a.cpp" "$tree/node/a.cpp" >"$tree/build/compile_commands.json"
  judge "tidy ($1)" "$1" "$3" "$rules/check_tidy.py" "$tree" "$tree/build"
}
export XDG_CACHE_HOME=$work/cache
plant_tidy green "${spdx}int fan_speed() { return 1; }\n" ''
plant_tidy red "${spdx}int FanSpeed() { return 1; }\n" 'readability-identifier-naming'
judge 'tidy remembers no failure' red '1 judged now' "$rules/check_tidy.py" "$tree" "$tree/build"
plant_tidy green "${spdx}int fan_speed() { return 1; }\n" ''
judged_again=$("$rules/check_tidy.py" "$tree" "$tree/build")
if [[ $judged_again != *" 0 judged now"* ]]; then
  echo "tidy: a pass is not remembered: $judged_again"
  status=1
fi

echo "$planted trees judged"
exit "$status"
