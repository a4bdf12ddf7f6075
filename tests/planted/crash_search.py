#!/usr/bin/env python3
"""Looks for programs that ranklint can not judge to the end: it aborts, is ended by a signal, takes too long, or says that a bug
of its own kept something from being judged.

    crash_search.py RANKLINT [--changes N TREE] [--projects N] [--seed S] [--keep FOLDER]

Changes (operators.py) are planted into copies of a tree of real source, one in each file of a copy; random projects
(projects.py) are checked several at a time. Where a run fails, what it checked is halved until what fails is found, and kept.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import operators
import projects

PROJECTS_AT_ONCE = 16
SECONDS = 20  # for a run, and more for what is large
SECONDS_PER_MEGABYTE = 60


def write_all(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


class Search:
    def __init__(self, ranklint, keep):
        self.ranklint, self.keep, self.failures, self.runs = ranklint, keep, [], 0

    def failure_of(self, files):
        """What goes wrong when the files are checked, in one line; nothing: all is well."""
        with tempfile.TemporaryDirectory(prefix="ranklint-crash-") as scratch:
            write_all(pathlib.Path(scratch), files)
            self.runs += 1
            size = sum(len(text) for text in files.values())
            command = [self.ranklint, "check", "--isolated", "--no-cache", "--quiet", "--output-format", "json", "."]
            try:
                run = subprocess.run(command, cwd=scratch, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS + SECONDS_PER_MEGABYTE * size / 1e6)
            except subprocess.TimeoutExpired:
                return "takes too long"
        said = run.stderr.decode(errors="replace")
        broken = [line for line in said.splitlines() if "internal error" in line or "ranklint bug" in line]
        if run.returncode < 0 or run.returncode > 127:
            return f"ended by signal {-run.returncode if run.returncode < 0 else run.returncode - 128}: {' '.join(broken)}"
        if broken:
            return broken[0]
        return f"exit status {run.returncode}: {said[:200]}" if run.returncode not in (0, 1) else None

    def narrow(self, base, pieces, failure):
        """The pieces that fail alone, each with the files it changes; where none does, all together."""
        if len(pieces) == 1:
            return [(pieces, failure)]
        middle, found = len(pieces) // 2, []
        for half in (pieces[:middle], pieces[middle:]):
            if failed := self.failure_of(base | {name: text for _, files in half for name, text in files.items()}):
                found += self.narrow(base, half, failed)
        return found or [(pieces, failure)]

    def check(self, base, pieces):
        """Checks the base with all pieces, each a name and the files that it changes."""
        failure = self.failure_of(base | {name: text for _, files in pieces for name, text in files.items()})
        for failed, why in self.narrow(base, pieces, failure) if failure else []:
            names = ", ".join(name for name, _ in failed)
            where = self.keep / f"{len(self.failures) + 1}"
            shutil.rmtree(where, ignore_errors=True)
            write_all(where, base | {name: text for _, files in failed for name, text in files.items()})
            self.failures.append((names, why))
            print(f"{names}\n    {why}\n    kept in {where}", flush=True)


def read_tree(tree):
    return {str(path.relative_to(tree)): path.read_bytes().decode("utf-8", "surrogateescape") for path in sorted(tree.rglob("*.py"))}


def search_changes(search, tree, count, seed):
    base, planted, round_number = read_tree(tree), 0, 0
    if not base:
        sys.exit(f"there is no Python source in {tree}")
    while planted < count:
        round_number += 1
        pieces = []
        for name, source in base.items():
            rng = random.Random(f"{seed} {round_number} {name}")
            if planted + len(pieces) < count and (made := operators.plant(source, rng)):
                pieces.append((f"{name}: {made[1]} (seed {seed}, round {round_number})", {name: made[0]}))
        if not pieces:
            sys.exit(f"nothing can be planted in {tree}")
        search.check(base, pieces)
        planted += len(pieces)
    return planted


def search_projects(search, count, seed):
    for first in range(seed, seed + count, PROJECTS_AT_ONCE):
        pieces = []
        for number in range(first, min(first + PROJECTS_AT_ONCE, seed + count)):
            files = {f"p{number}/{name}": text for name, text in projects.project(random.Random(number)).items()}
            pieces.append((f"random project {number}", files))
        search.check({}, pieces)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ranklint", type=os.path.abspath)
    parser.add_argument("--changes", nargs=2, action="append", default=[], metavar=("N", "TREE"))
    parser.add_argument("--projects", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("crashes"), metavar="FOLDER")
    o = parser.parse_args()
    search, start = Search(o.ranklint, o.keep), time.time()
    planted = sum(search_changes(search, pathlib.Path(tree), int(count), o.seed) for count, tree in o.changes)
    made = search_projects(search, o.projects, o.seed)
    print(f"{planted} planted changes and {made} random projects in {search.runs} runs, {time.time() - start:.0f} s: {len(search.failures)} failures")
    return 1 if search.failures else 0


if __name__ == "__main__":
    sys.exit(main())
