#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rule: what ships runs from Ubuntu 22.04 and RHEL 9 on, and starts without a driver: check_glibc.sh BIN [SANITIZER].
# Both have glibc 2.34 or newer, and every distribution has libgcc_s (a static libgcc of GCC 12 would need glibc 2.35:
# _dl_find_object). Every other library is linked statically or opened at run time.
set -euo pipefail

bin=$1
newest=2.34
build_newest=2.36 # Debian 12, where releases are built; newer headers name newer symbols whatever the program does
shipped=(gpucert gpucert-nvml)
allowed='^(libc\.so\.6|libm\.so\.6|libgcc_s\.so\.1|libdl\.so\.2|libpthread\.so\.0|librt\.so\.1|ld-linux-[a-z0-9_-]+\.so\.[0-9])$'

if [[ -n ${2-} ]]; then
  echo "skipped: built with sanitizers ($2), which does not ship"
  exit 77
fi

is_at_most() { [[ $(printf '%s\n' "$1" "$2" | sort -V | tail -n 1) == "$2" ]]; }

host_glibc=$(getconf GNU_LIBC_VERSION | sed 's/glibc //')
judges_versions=no
if is_at_most "$host_glibc" "$build_newest"; then
  judges_versions=yes
fi

status=0
judged=0
for name in "${shipped[@]}"; do
  program=$bin/$name
  [[ -f $program ]] || continue
  judged=$((judged + 1))
  # "0x... (GLIBC_2.34) name": the version a symbol needs; PRIVATE and such are no versions.
  highest=$(readelf --wide --version-info "$program" | { grep -oE 'GLIBC_[0-9.]+' || true; } | sort -uV | tail -n 1)
  highest=${highest#GLIBC_}
  if [[ $judges_versions == yes ]] && ! is_at_most "${highest:-0}" "$newest"; then
    echo "$program: needs GLIBC_$highest, at most GLIBC_$newest:"
    objdump -T "$program" | grep -F "GLIBC_$highest" || true
    status=1
  fi
  while IFS= read -r library; do
    if [[ ! $library =~ $allowed ]]; then
      echo "$program: needs $library at start; link it statically or open it at run time"
      status=1
    fi
  done < <(readelf --wide --dynamic "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
done
if ((judged == 0)); then
  echo "skipped: neither of ${shipped[*]} is built in $bin"
  exit 77
fi
if [[ $status == 0 && $judges_versions == no ]]; then
  echo "skipped: built on glibc $host_glibc; symbol versions are judged up to $build_newest"
  exit 77
fi
exit "$status"
