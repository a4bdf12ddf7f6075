#!/usr/bin/env python3
"""How long this repository takes to build: bench/build_times.py [FOLDER]

Measures in a new build tree below FOLDER (default: /var/tmp), without a compiler cache: the program as `./dev demo` builds it, everything with its
tests as `./dev test` does, and the rebuild after one source was saved. For comparison the same run compiles one unit that includes common standard
headers and nothing else; where that takes twice as long, the rest takes about twice as long.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNIT = "#include <algorithm>\n#include <functional>\n#include <map>\n#include <memory>\n#include <string>\n#include <vector>\nint main() {}\n"
EDITED = ["analyzer/product/lockstep_diverged.cpp", "analyzer/mpi_check/collectives/calls.cpp", "analyzer/resolve/index.cpp",
          "frontends/python/parse.cpp", "app/lsp/server.cpp"]
# What is built, the preset that `./dev` takes for it, the target.
PARTS = [("the program of ./dev demo", "demo", "ranklint"), ("everything, with tests", "default", "all")]


def seconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "CCACHE_DISABLE": "1"})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    return time.perf_counter() - start


def main():
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else "/var/tmp") as folder:
        unit = pathlib.Path(folder) / "unit.cpp"
        unit.write_text(UNIT)
        peer = statistics.median(seconds(["c++", "-std=c++20", "-O2", "-c", unit, "-o", "/dev/null"]) for _ in range(5))
        print(f"{'one unit beside them':40}{peer:8.1f} s", flush=True)
        report = lambda name, value: print(f"{name:40}{value:8.1f} s{value / peer:10.0f} units", flush=True)
        tree = pathlib.Path(folder) / "build"
        for name, preset, target in PARTS:
            report(name, seconds(["cmake", "--preset", preset, "-B", tree]) + seconds(["ninja", "-C", tree, target]))
        for name in EDITED:
            (ROOT / name).touch()
            report(f"{name} saved", seconds(["ninja", "-C", tree, "ranklint"]))


if __name__ == "__main__":
    main()
