"""An attribute that its reader sets anew is not what the constructor made it."""
import time
from datetime import datetime

import torch
import torch.distributed as dist


class Interval:
    def __init__(self):
        self.last = -1
        self.begun = -1.0

    def step_bad(self, x):
        if self.last > 0:
            if time.time() - self.last > 30:
                dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"
        self.last = time.time()

    def report_bad(self, x):
        if self.begun > 0:
            if time.time() - self.begun > 30:
                dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"
        self.begun = time.time()


class Reporter:
    def __init__(self, seconds):
        self.seconds = seconds
        self.last = datetime.now()

    def step_bad(self, x):
        elapsed = (datetime.now() - self.last).total_seconds()
        if elapsed < self.seconds:
            return  # expect: [data-dependent-collective] "clock"
        dist.all_reduce(x)
        self.last = datetime.now()

    def count_ok(self, x, steps):
        elapsed = (datetime.now() - self.last).total_seconds()
        if steps % 10 == 0:
            dist.all_reduce(x)
            print(elapsed)


class Switched:
    """Nobody sets it again."""

    def __init__(self):
        self.interval = -1

    def step_good(self, x):
        if self.interval > 0:
            if time.time() > self.interval:
                dist.all_reduce(x)


def main():
    dist.init_process_group("gloo")
    interval, reporter, switched = Interval(), Reporter(30), Switched()
    x = torch.ones(3)
    for _ in range(10):
        interval.step_bad(x)  # silent: [callers-own]
        interval.report_bad(x)
        reporter.step_bad(x)
        reporter.count_ok(x, 10)
        switched.step_good(x)


main()
