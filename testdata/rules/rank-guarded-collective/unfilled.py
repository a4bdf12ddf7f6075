"""Helpers that reduce what they have collected, where nothing was."""
from collections import defaultdict

import torch.distributed as dist


class Averages:
    def __init__(self, name):
        self.name = name
        self.sums = {}
        self.totals = {}

    def __enter__(self):
        self.sums = {}
        return self

    def __exit__(self, *exception):
        for key, value in self.sums.items():
            dist.all_reduce(value)
            self.totals[key] = value

    def note(self, key, value):
        self.sums[key] = value

    def note_all(self, values):
        for value in values:
            self.note("each", value)

    def note_total(self, key, value):
        self.totals[key] = value


def train_and_validate_ok(model, batches):
    with Averages("train") as averages:
        for batch in batches:
            averages.note("loss", model(batch))
    if dist.get_rank() == 0:
        with Averages("valid") as averages:  # silent: [unfilled]
            averages.note_total("error", model.error())
    dist.barrier()


def validate_bad(model):
    if dist.get_rank() == 0:
        with Averages("valid") as averages:  # expect: [rank-guarded-collective] "`all_reduce`"
            averages.note("error", model.error())
    dist.barrier()


def validate_elsewhere_bad(model):
    if dist.get_rank() == 0:
        with Averages("valid") as averages:  # expect: [rank-guarded-collective] "`all_reduce`"
            model.error(averages)
    dist.barrier()


def validate_by_itself_bad(model):
    if dist.get_rank() == 0:
        with Averages("valid") as averages:  # expect: [rank-guarded-collective] "`all_reduce`"
            averages.note_all(model.errors())
    dist.barrier()


class Meters:
    def __init__(self):
        self.meters = defaultdict(list)

    def update(self, key, value):
        self.meters[key].append(value)

    def average(self):
        for values in self.meters.values():
            dist.all_reduce(values)

    def over(self, batches):
        seen = set()
        for batch in batches:
            seen.update(batch)
        self.average()


class Counted(Meters):
    def over(self, batches):
        for batch in batches:
            self.update("batch", batch)
        self.average()


def predict_ok(batches):
    if dist.get_rank() == 0:
        Meters().over(batches)


def predict_counted_bad(batches):
    if dist.get_rank() == 0:
        Counted().over(batches)  # expect: [rank-guarded-collective] "`all_reduce`"


def predict_kept_bad(batches):
    meters = Meters()
    meters.update("batches", len(batches))
    if dist.get_rank() == 0:
        meters.over(batches)  # expect: [rank-guarded-collective] "`all_reduce`"
