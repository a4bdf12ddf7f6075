"""Options that a class has and that nobody here switches on, and such that somebody does."""
from dataclasses import dataclass, field

import torch.distributed as dist


@dataclass
class Naming:
    folder: str = field(default="out")
    numbered: bool = field(default=False)


class Saver:
    def __init__(self, naming: Naming = None):
        self.naming = naming

    def save(self, x):
        if self.naming.numbered:
            dist.all_reduce(x)


def nobody_numbers_fn(x, naming: Naming):
    saver = Saver(Naming(folder="runs"))
    if dist.get_rank() == 0:
        saver.save(x)  # silent: [unused-option]


@dataclass
class Checks:
    folder: str = field(default="out")
    thorough: bool = field(default=False)


class Checker:
    def __init__(self, checks: Checks = None):
        self.checks = checks

    def check(self, x):
        if self.checks.thorough:
            dist.all_reduce(x)


def checker_of(thorough_too):
    return Checker(Checks(folder="runs", thorough=thorough_too))


def somebody_checks_bad(x, checker: Checker):
    if dist.get_rank() == 0:
        checker.check(x)  # expect: [rank-guarded-collective] "`all_reduce`"


class Writer:
    def __init__(self, naming=None):
        self.naming = naming

    def write(self, x):
        if self.naming.numbered:
            dist.all_reduce(x)


def without_names_ok(x):
    writer = Writer(None)
    if dist.get_rank() == 0:
        writer.write(x)


class Timed:
    """A switch that nothing turns."""

    waits = False

    def __init__(self):
        self.synced = False

    def start(self):
        if self.synced:
            dist.barrier()

    def stop(self):
        if self.waits:
            dist.barrier()


def timed_ok(timed: Timed):
    if dist.get_rank() == 0:
        timed.start()  # silent: [unused-option]


def timed_to_the_end_ok():
    timed = Timed()
    if dist.get_rank() == 0:
        timed.stop()  # silent: [unused-option]


class Turned:
    def __init__(self):
        self.together = False

    def start(self):
        if self.together:
            dist.barrier()


def turn(turned: Turned):
    turned.together = True


def turned_bad(turned: Turned):
    if dist.get_rank() == 0:
        turned.start()  # expect: [rank-guarded-collective] "`barrier`"
