#!/usr/bin/env python3
"""What a run on one small Python file costs beside a program that does nothing: bench/start_up.py RANKLINT [TIMES]

Runs both in turns, so that what else the machine does falls on both. The time of the processor is that of the process and its
threads; the time on the clock is from the start to the end as the caller sees it.
"""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

FILE = "import torch.distributed as dist\n\n\ndef save(state):\n    if dist.get_rank() == 0:\n        dist.barrier()\n"


def measured(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * clock, 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    program, times = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "train.py"
        path.write_text(FILE)
        commands = {"ranklint check": [program, "check", "-q", "--isolated", "--no-cache", str(path)], "true": ["/bin/true"]}
        runs = {name: [] for name in commands}
        for _ in range(times):
            for name, command in commands.items():
                runs[name].append(measured(command))
    for name, values in runs.items():
        clock, processor = zip(*values)
        print(f"{name}: {statistics.median(clock):.1f} ms in the median, {min(clock):.1f} ms at best; of the processor {statistics.median(processor):.1f} ms, {min(processor):.1f} ms at best")


if __name__ == "__main__":
    main()
