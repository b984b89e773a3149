#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums up the CTest runs of several presets: minutes per label against the budgets, skips with their reasons, and
the closing line "N passed, N failed[, N skipped]". Exits 1 when a test failed or none ran."""
import argparse
import collections
import json
import os
import subprocess
import sys
import xml.etree.ElementTree

# A skip that the test itself declared. CTest also writes <skipped> for a program that is missing: that is a failure.
DECLARED_SKIPS = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION_MATCHED", "Disabled")
SHOWN_SKIPS = 20

Result = collections.namedtuple("Result", "preset name outcome seconds reason")


def read_labels(preset):
    """Labels by test name, as CTest knows them; None when it cannot list them (a test program that does not start)."""
    listing = subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], stdout=subprocess.PIPE)
    if listing.returncode != 0:
        return None
    labels = {}
    for test in json.loads(listing.stdout)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        labels[test["name"]] = properties.get("LABELS", [])
    return labels


def last_words(case):
    """The last line that a test printed before its skip: by our rule it is the reason."""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines()]
    lines = [line for line in lines if line and not line.startswith("[")]
    return lines[-1].removeprefix("skipped: ") if lines else "no reason given"


def judge_case(preset, case):
    name, seconds = case.get("name"), float(case.get("time") or 0)
    skipped = case.find("skipped")
    if case.find("failure") is not None or case.find("error") is not None:
        return Result(preset, name, "failed", seconds, "")
    if skipped is not None or case.get("status") != "run":
        message = skipped.get("message", "") if skipped is not None else ""
        if message.startswith(DECLARED_SKIPS) or case.get("status") == "disabled":
            return Result(preset, name, "skipped", seconds, last_words(case))
        return Result(preset, name, "failed", seconds, message)
    return Result(preset, name, "passed", seconds, "")


def read_results(preset, labels, wanted):
    path = os.path.join("build", preset, "junit.xml")
    if not os.path.exists(path):
        if labels is not None and not any(wanted in ([None] + of_test) for of_test in labels.values()):
            return []  # ctest found nothing to run, and wrote nothing
        return [Result(preset, "ctest", "failed", 0.0, "it ended without results")]
    try:
        suite = xml.etree.ElementTree.parse(path).getroot()
    except xml.etree.ElementTree.ParseError as error:
        return [Result(preset, path, "failed", 0.0, f"not XML: {error}")]
    return [judge_case(preset, case) for case in suite.iter("testcase")]


def print_minutes(results, labels, budgets, options):
    minutes = collections.Counter()
    counts = collections.Counter()
    for result in results:
        for label in labels[result.preset].get(result.name) or ["(no label)"]:
            minutes[label] += result.seconds / 60
            counts[label] += 1
    print(f"\n{'label':<12} {'tests':>6} {'minutes':>8} {'budget':>8}")
    over = []
    rows = [(label, counts[label], minutes[label]) for label in sorted(counts)]
    rows += [("build", "", options.build_seconds / 60), ("total", "", options.wall_seconds / 60)]
    for label, count, spent in rows:
        budget = budgets.get(label)
        print(f"{label:<12} {count:>6} {spent:>8.2f} {'-' if budget is None else budget:>8}")
        if budget is not None and spent > budget:
            over.append(f"warning: {label} took {spent:.1f} minutes, its budget in {options.budgets} is {budget}")
    for line in over:
        print(line)


def print_outcomes(results):
    skips = [result for result in results if result.outcome == "skipped"]
    for result in skips[:SHOWN_SKIPS]:
        print(f"skipped: {result.preset} {result.name}: {result.reason}")
    if len(skips) > SHOWN_SKIPS:
        print(f"skipped: {len(skips) - SHOWN_SKIPS} more")
    for result in results:
        if result.outcome == "failed":
            print(f"failed: {result.preset} {result.name}{': ' + result.reason if result.reason else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budgets", required=True)
    parser.add_argument("--build-seconds", type=float, required=True)
    parser.add_argument("--wall-seconds", type=float, required=True)
    parser.add_argument("--label", help="the label that was asked for")
    parser.add_argument("--broken", action="append", default=[], help="a preset that did not build")
    parser.add_argument("presets", nargs="+")
    options = parser.parse_args()

    with open(options.budgets, encoding="utf-8") as file:
        budgets = json.load(file)
    results, labels = [], {}
    for preset in options.presets:
        if preset in options.broken:
            results.append(Result(preset, "build", "failed", 0.0, "it did not build"))
            labels[preset] = {"build": ["(build)"]}
            continue
        listed = read_labels(preset)
        results += read_results(preset, listed, options.label)
        labels[preset] = listed or {}

    print_minutes(results, labels, budgets, options)
    print_outcomes(results)
    count = collections.Counter(result.outcome for result in results)
    if not results:
        print(f"no test has the label {options.label}" if options.label else "no test ran")
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    print(f"{count['passed']} passed, {count['failed']} failed{skipped}")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
