#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_speed.py GPUCERT INCIDENT_CHECK: how long `gpucert check` takes over files, and what it needs of memory.

Two trees, both warm, every figure the median of one run's alternating repetitions:
* large: 2,000 packages, a kernel log of 50 MB, 200 processes: milliseconds and peak memory.
* ordinary: the files of a common machine; beside it the incident's own check, and the ratio of the two.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPETITIONS = 9
DRIVER = "535.161.07"
LIBRARY_FOLDER = "usr/lib/x86_64-linux-gnu"


def put(tree, path, text):
    place = tree / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def stanza(name, version):
    return (f"Package: {name}\nStatus: install ok installed\nPriority: optional\nSection: libs\n"
            f"Installed-Size: 1234\nMaintainer: Somebody\nArchitecture: amd64\nVersion: {version}\n"
            f"Depends: libc6 (>= 2.35), libgcc-s1 (>= 3.3.1), libstdc++6 (>= 11)\n"
            f"Description: package {name}\n A text of several lines as most packages have it,\n with details.\n\n")


def kernel_log(size):
    lines = [f"[    6.302117] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  {DRIVER}  Sat Feb 17 22:55:48 UTC 2024\n"]
    length, count = len(lines[0]), 0
    while length < size:
        count += 1
        line = (f"[{count * 0.37:12.6f}] audit: type=1400 audit(1716355872.{count % 1000:03}:{count}): apparmor=\"ALLOWED\" "
                f"operation=\"open\" profile=\"service-{count % 17}\" name=\"/var/lib/file-{count}\" pid={count % 30000}\n")
        lines.append(line)
        length += len(line)
    return "".join(lines)


def maps(count):
    return "".join(f"7f{index:010x}-7f{index + 1:010x} r-xp 00000000 08:01 {index} /usr/lib/x86_64-linux-gnu/lib{index}.so.1\n"
                   for index in range(count))


def make_tree(tree, packages, log_bytes, processes):
    put(tree, "proc/driver/nvidia/version",
        f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {DRIVER}  Sat Feb 17 22:55:48 UTC 2024\nGCC version:  gcc 12\n")
    put(tree, "proc/sys/kernel/osrelease", "5.15.0-105-generic\n")
    put(tree, "proc/modules", "nvidia_uvm 1 0 - Live 0x0\nnvidia 2 1 nvidia_uvm, Live 0x0\n")
    for module in ("nvidia", "nvidia_uvm"):
        put(tree, f"sys/module/{module}/version", DRIVER + "\n")
    device = "sys/bus/pci/devices/0000:3b:00.0/"
    for name, text in (("vendor", "0x10de"), ("device", "0x20b5"), ("class", "0x030200")):
        put(tree, device + name, text + "\n")
    for name in ("libcuda", "libnvidia-ml"):
        put(tree, f"{LIBRARY_FOLDER}/{name}.so.{DRIVER}", "")
        os.symlink(f"{name}.so.{DRIVER}", tree / LIBRARY_FOLDER / f"{name}.so.1")
    driver = [stanza(name, DRIVER + "-0ubuntu0.22.04.1") for name in
              ("nvidia-driver-535-server", "libnvidia-compute-535-server", "nvidia-utils-535-server")]
    put(tree, "var/lib/dpkg/status",
        "".join([stanza(f"package-{index}", f"1.{index}-1") for index in range(packages)] + driver))
    put(tree, "var/log/apt/history.log",
        "".join(f"\nStart-Date: 2024-06-{day:02}  06:41:03\nCommandline: /usr/bin/unattended-upgrade\n"
                f"Upgrade: openssl:amd64 (3.0.2-{day}, 3.0.2-{day + 1})\nEnd-Date: 2024-06-{day:02}  06:42:03\n"
                for day in range(1, 29)))
    put(tree, "var/log/dmesg", kernel_log(log_bytes))
    for pid in range(1000, 1000 + processes):
        put(tree, f"proc/{pid}/comm", f"service-{pid}\n")
        put(tree, f"proc/{pid}/maps", maps(120))
    os.sync()


def run(words):
    """Milliseconds and peak MB of one run."""
    begin = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return (time.perf_counter() - begin) * 1000, usage.ru_maxrss / 1024


def in_a_child(work, *arguments, **named):
    """A child's peak memory begins with its parent's, so that the parent must stay small."""
    pid = os.fork()
    if pid == 0:
        work(*arguments, **named)
        os._exit(0)
    if os.waitpid(pid, 0)[1] != 0:
        sys.exit("the tree could not be made")


def measure(*commands):
    """The medians of each command, run in turn, so that the machine's moods meet all of them."""
    runs = [[run(words) for words in commands] for _ in range(REPETITIONS + 1)][1:]
    return [tuple(statistics.median(one[index][part] for one in runs) for part in (0, 1))
            for index in range(len(commands))]


def main(gpucert, incident_check):
    with tempfile.TemporaryDirectory() as folder:
        large, ordinary = Path(folder) / "large", Path(folder) / "ordinary"
        in_a_child(make_tree, large, packages=2000, log_bytes=50_000_000, processes=200)
        in_a_child(make_tree, ordinary, packages=700, log_bytes=150_000, processes=60)
        [(milliseconds, megabytes)] = measure([gpucert, "check", "--tree", str(large)])
        print(f"large tree:     {milliseconds:6.1f} ms, {megabytes:5.1f} MB peak (goal: 100 ms, 60 MB)")
        ours, theirs = measure([gpucert, "check", "--tree", str(ordinary)], [incident_check, str(ordinary)])
        print(f"ordinary tree:  {ours[0]:6.1f} ms, {ours[1]:5.1f} MB peak; the incident's check {theirs[0]:.1f} ms; "
              f"ratio {ours[0] / theirs[0]:.2f} (goal: 0.5)")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
