#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rule: clang-tidy, as .clang-tidy chooses, finds nothing in our C++ sources: check_tidy.py ROOT BUILD [--changed].

Cold, the whole tree takes longer than everything else that is tested. With --changed only those sources are judged that
differ, or include a file that differs, from the branch's fork of main, or on main itself from the commit before. Where
git cannot say (no repository, a shallow clone) it is the whole tree; so it is at night.

A file costs seconds, so a pass is remembered by content: the command, .clang-tidy, and every file that the compiler
read for it (ninja knows them). The memory outlives the build folder, as ccache's does, and holds no paths of ours."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

KEPT_SECONDS = 30 * 24 * 3600  # since a pass was last asked for


def tidy_command(build, source):
    # The commands are GCC's; Clang need not know all of its warnings.
    return ["clang-tidy", "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option", str(source)]


def read_dependencies(build):
    """Files that the compiler read, by object file; from ninja, which keeps them after each compile."""
    listing = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], stdout=subprocess.PIPE, text=True, check=True)
    dependencies, current = {}, None
    for line in listing.stdout.splitlines():
        if line.startswith("    "):
            if current is not None:
                dependencies[current].append(line.strip())
        elif ": #deps " in line:
            current = line.partition(": #deps ")[0] if line.endswith("(VALID)") else None
            if current is not None:
                dependencies[current] = []
    return dependencies


class pass_memory:
    def __init__(self, root, build):
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        self.folder = pathlib.Path(cache, "gpucert", "tidy")
        self.root, self.build = str(root), build
        self.dependencies = read_dependencies(build)
        self.digests = {}
        version = subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, check=True).stdout
        self.common = version + (root / ".clang-tidy").read_bytes()

    def digest(self, path):
        if path not in self.digests:
            self.digests[path] = hashlib.sha256((self.build / path).read_bytes()).hexdigest()
        return self.digests[path]

    def files_of(self, entry):
        """What the compiler read for it; None when that is not known."""
        output = re.search(r" -o (\S+)", entry["command"])
        return self.dependencies.get(output.group(1)) if output else None

    def key(self, entry):
        """None when it is not known what the file includes: then it is judged each time."""
        files = self.files_of(entry)
        if not files:
            return None
        key = hashlib.sha256(self.common)
        key.update(entry["command"].replace(self.root, ".").encode())
        try:
            for path in sorted(files):
                key.update(f"{path.replace(self.root, '.')} {self.digest(path)}\n".encode())
        except OSError:
            return None
        return key.hexdigest()

    def has(self, key):
        if key is None or not (self.folder / key).exists():
            return False
        os.utime(self.folder / key)
        return True

    def remember(self, key):
        if key is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / key).touch()

    def forget_old(self):
        oldest = time.time() - KEPT_SECONDS
        for entry in self.folder.iterdir() if self.folder.is_dir() else ():
            if entry.stat().st_mtime < oldest:
                entry.unlink(missing_ok=True)


def read_entries(root, build):
    """Our translation units: not what is generated below the build folder, and not CUDA, which nvcc compiles."""
    entries = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if root in source.parents and root / "build" not in source.parents and source.suffix == ".cpp":
            entries.setdefault(source, entry)  # a file in two targets is judged once
    return entries


def ask_git(root, *words):
    """The lines of the answer; None when there is none."""
    try:
        command = ["git", "-C", str(root), *words]
        answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    return answer.stdout.splitlines() if answer.returncode == 0 else None


def find_base(root):
    """The commit before the changes; None when git does not know it."""
    head = ask_git(root, "rev-parse", "HEAD")
    for main_branch in ("origin/main", "main"):
        fork = ask_git(root, "merge-base", "HEAD", main_branch)
        if fork and fork != head:
            return fork[0]
    before = ask_git(root, "rev-parse", "--verify", "HEAD^")
    return before[0] if before else None


def read_changes(root):
    """Files that differ from the base, committed or not; None when that is not known."""
    base = find_base(root)
    committed = ask_git(root, "diff", "--name-only", base) if base else None
    fresh = ask_git(root, "ls-files", "--others", "--exclude-standard")
    return None if committed is None or fresh is None else {root / name for name in committed + fresh}


def keep_changed(entries, memory, changes, root):
    """The sources that are, or include, one of the changed files; those whose includes are not known as well."""
    if root / ".clang-tidy" in changes:
        return entries
    kept = {}
    for source, entry in entries.items():
        files = memory.files_of(entry)
        if not files or changes.intersection((memory.build / path).resolve() for path in files):
            kept[source] = entry
    return kept


def main():
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    entries = read_entries(root, build)
    if not entries:
        print(f"{build}/compile_commands.json names no source of {root}")
        return 1
    memory = pass_memory(root, build)
    changes = read_changes(root) if "--changed" in sys.argv[3:] else None
    if changes is not None:
        entries = keep_changed(entries, memory, changes, root)
    keys = {source: memory.key(entry) for source, entry in entries.items()}
    pending = [source for source in entries if not memory.has(keys[source])]

    def judge(source):
        command = tidy_command(build, source)
        return source, subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, result in pool.map(judge, pending):
            if result.returncode == 0:
                memory.remember(keys[source])
            else:
                failed += 1
                print(f"{source.relative_to(root)}:\n{result.stdout}")
    memory.forget_old()
    print(f"{len(entries)} files, {len(pending)} judged now, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
