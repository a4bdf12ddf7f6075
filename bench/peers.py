#!/usr/bin/env python3
"""What a check of a tree costs beside what other tools for Python take for the same tree: bench/peers.py RANKLINT FOLDER [TIMES]

Peers are what of ruff, ty, pyrefly and the Python package tree_sitter (with tree_sitter_python) is installed: a linter of single
files, two type checkers that read the whole program, and a parser that does nothing with what it has read. All run in turns on a
copy of the tree, so that what else the machine does falls on all, and the figures are medians.
"""
import importlib.util
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PARSE = """
import pathlib, tree_sitter, tree_sitter_python
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
for path in pathlib.Path(".").rglob("*.py"):
    parser.parse(path.read_bytes())
"""


def measured(command, folder):
    """Seconds on the clock and of the processor, and MB at most."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def commands(program):
    """Of each row, what runs before it and is not measured, and what is measured."""
    check = [program, "check", "-q"]
    rows = {
        "ranklint, without a cache": ([], [*check, "--no-cache"]),
        "ranklint, on one core": ([], ["taskset", "-c", "0", *check, "--no-cache"]),
        "ranklint, nothing changed": (check, check),
        "ranklint, one file changed": ("edit", check),
    }
    if shutil.which("ruff"):
        rows["ruff, without a cache"] = ([], ["ruff", "check", "-q", "--no-cache"])
        rows["ruff, nothing changed"] = (["ruff", "check", "-q"], ["ruff", "check", "-q"])
    if shutil.which("pyrefly"):
        rows["pyrefly"] = ([], ["pyrefly", "check"])
    if shutil.which("ty"):
        rows["ty"] = ([], ["ty", "check"])
    if all(map(importlib.util.find_spec, ("tree_sitter", "tree_sitter_python"))):
        rows["tree-sitter, parsing alone"] = ([], [sys.executable, "-c", PARSE])
    return rows


def main():
    program, source = os.path.abspath(sys.argv[1]), sys.argv[2]
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    runs = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "tree"
        shutil.copytree(source, folder, symlinks=True)
        edited = max(folder.rglob("*.py"), key=lambda path: path.stat().st_size if path.is_file() else 0)
        for _ in range(times):
            for name, (before, command) in commands(program).items():
                if before == "edit":
                    with edited.open("a") as file:
                        file.write("\n# one more line\n")
                elif before:
                    measured(before, folder)
                runs.setdefault(name, []).append(measured(command, folder))
    medians = {name: [statistics.median(values) for values in zip(*all_of)] for name, all_of in runs.items()}
    clock, processor, memory = medians["ranklint, without a cache"]
    print("| | Clock | Processor | Memory | Clock, of ranklint's | Processor |\n|---|---|---|---|---|---|")
    for name, (c, p, m) in medians.items():
        print(f"| {name} | {c:.2f} s | {p:.2f} s | {m:.0f} MB | {c / clock:.2f} | {p / processor:.2f} |")


if __name__ == "__main__":
    main()
