#!/usr/bin/env python3
"""Compares a whole run of ranklint on C and C++ files with Clang's own look at them.

    bench/cpp_frontend.py build/ranklint FILE... [-- FLAGS OF THE COMPILER]

Prints, per file, the processor time of `clang -fsyntax-only` and of `ranklint check`, each the best of five, and their
ratio. Without a compile_commands.json give Clang what ranklint infers: include folders, -DUSE_MPI=1 where a program asks
for it, and -idirafter frontends/cpp/stubs/last where a library is not installed.
"""
import os
import subprocess
import sys

RUNS = 5


def cpu_seconds(command):
    best = float("inf")
    for _ in range(RUNS):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        usage = os.wait4(child.pid, 0)[2]
        best = min(best, usage.ru_utime + usage.ru_stime)
    return best


def main():
    arguments = sys.argv[1:]
    flags = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    tool, files = arguments[0], arguments[1:]
    for file in files:
        compiler = "clang-19" if file.endswith(".c") else "clang++-19"
        clang = cpu_seconds([compiler, "-fsyntax-only", "-w", *flags, file])
        ours = cpu_seconds([tool, "check", "-q", "--no-cache", "-j", "1", file])
        print(f"{file}: clang {clang:.3f} s, ranklint {ours:.3f} s, ratio {ours / clang:.2f}")


if __name__ == "__main__":
    main()
