#!/usr/bin/env python3
"""What a run keeps in memory for each byte of a large Python file, beside Python's own parser: bench/memory.py RANKLINT [MEGABYTES]

Every file is of one kind of code, from ordinary to as dense as can be written, so that what grows with the file shows. From the peak of
each program that of the same program on an empty file is taken away. The peer is `ast.parse`, which makes a tree and no more.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

KINDS = {
    "functions": lambda i: f"def function_{i}(first, second=None):\n    total = first.size(0) + second\n    for item in range(total):\n"
                           f"        if item > {i}:\n            print(item, total)\n    return total\n\n\n",
    "assignments": lambda i: f"value_{i} = other.attribute_{i % 100} + compute(argument_{i % 77}, {i})\n",
    "constants": lambda i: f"CONSTANT_{i} = {i}\n",
    "short functions": lambda i: "def f(x):\n    return x\n",
    "functions of a call": lambda i: f"def f{i}(x):\n    g(x)\n",
    "functions of a line": lambda i: f"def f{i}(x):g(x)\n",
    "short assignments": lambda i: "x = 1\n",
    "short calls": lambda i: "f(x)\n",
    "collectives": lambda i: "dist.barrier()\n",
    "methods of one class": lambda i: f"    def method_{i}(self, first, second=None):\n        total = first.size(0) + second\n"
                                      f"        self.total_{i} = total\n        return total\n\n",
    "rows of one list": lambda i: f"    [{i}, 'name {i}', 0.5],\n",
    "numbers of one list": lambda i: f"{i % 100}, " + ("\n" if i % 30 == 0 else ""),
}
AROUND = {"collectives": ("import torch.distributed as dist\n", ""), "methods of one class": ("class Big:\n", ""), "rows of one list": ("DATA = [\n", "]\n"), "numbers of one list": ("DATA = [\n", "]\n")}


def source(kind, size):
    parts, length, before_after = [], 0, AROUND.get(kind, ("", ""))
    while length < size:
        parts.append(KINDS[kind](len(parts)))
        length += len(parts[-1])
    return before_after[0] + "".join(parts) + before_after[1]


def peak_bytes(command):
    """Of the process alone, whatever this one holds."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command[0]} failed with {os.waitstatus_to_exitcode(status)}")
    return 1024 * usage.ru_maxrss


def main():
    program, megabytes = os.path.abspath(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 5
    parse = "import ast, sys; ast.parse(open(sys.argv[1]).read())"
    commands = {"ranklint": [program, "check", "-q", "--isolated", "--no-cache"], "ast.parse": [sys.executable, "-c", parse]}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "large.py"
        path.write_text("")
        empty = {name: peak_bytes([*command, str(path)]) for name, command in commands.items()}
        print(f"{'bytes per byte of source':26}" + "".join(f"{name:>12}" for name in commands) + f"{'ratio':>8}")
        for kind in KINDS:
            text = source(kind, 1e6 * megabytes)
            path.write_text(text)
            cost = {name: (peak_bytes([*command, str(path)]) - empty[name]) / len(text) for name, command in commands.items()}
            print(f"{kind:26}" + "".join(f"{value:12.0f}" for value in cost.values()) + f"{cost['ranklint'] / cost['ast.parse']:8.2f}", flush=True)


if __name__ == "__main__":
    main()
