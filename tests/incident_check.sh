#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The check that the incident's owners put into monitoring, in our words, faults included: what gpucert is compared with.
# Usage: incident_check.sh [TREE]   (TREE: a file tree with proc/driver/nvidia/version and var/lib/dpkg)
tree=${1:-}
loaded=$(sed -n 's/.*Kernel Module  *\([0-9.]*\).*/\1/p' "$tree/proc/driver/nvidia/version" 2>/dev/null | head -n 1)
installed=$(dpkg-query --admindir="$tree/var/lib/dpkg" -W -f='${Version}' nvidia-driver-535-server 2>/dev/null | grep -o '^[0-9.]*')
if [ "$loaded" = "$installed" ]; then
  echo "OK: driver versions match ($loaded)"
else
  echo "CRIT: kernel module $loaded, package $installed"
  exit 2
fi
