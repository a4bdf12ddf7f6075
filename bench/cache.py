#!/usr/bin/env python3
"""What a check costs with a cache that holds its result, beside one without: bench/cache.py RANKLINT FOLDER [TIMES]

Runs both in turns, so that what else the machine does falls on both, on a copy of the folder, and compares what they write. The
third column is a check that fills an empty cache, the fourth one after a line was added to one file.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


def check(program, folder, *flags):
    """Seconds on the clock, and the report."""
    start = time.perf_counter()
    done = subprocess.run([program, "check", "-q", "--output-format", "json", *flags], cwd=folder, capture_output=True)
    return time.perf_counter() - start, done.stdout


def main():
    program, source = os.path.abspath(sys.argv[1]), sys.argv[2]
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "tree"
        shutil.copytree(source, folder, symlinks=True)
        edited = max(folder.rglob("*.py"), key=lambda path: path.stat().st_size if path.is_file() else 0)
        seconds = {"without": [], "with": [], "first": [], "edited": []}
        for _ in range(times):
            subprocess.run([program, "clean"], cwd=folder, stderr=subprocess.DEVNULL)
            reports = {}
            for name, flags in {"without": ["--no-cache"], "first": [], "with": []}.items():
                took, reports[name] = check(program, folder, *flags)
                seconds[name].append(took)
            if len(set(reports.values())) != 1:
                sys.exit("the reports differ")
            with edited.open("a") as file:
                file.write("\n# one more line\n")
            seconds["edited"].append(check(program, folder)[0])
    best = {name: min(values) for name, values in seconds.items()}
    print(f"without {best['without']:.2f} s, with {best['with']:.2f} s ({best['without'] / best['with']:.0f} times as fast), "
          f"first {best['first']:.2f} s, one file edited {best['edited']:.2f} s")


if __name__ == "__main__":
    main()
