"""`rank != -1` asks whether there is a job: all of its ranks answer alike."""
import torch.distributed as dist
from enum import Enum


class Mode(Enum):
    GLOBAL = "global"


class Context:
    def __init__(self):
        self._local_ranks = {Mode.GLOBAL: dist.get_rank()}

    def get_local_rank(self, mode):
        return self._local_ranks[mode]


class Trainer:
    def __init__(self, model):
        self.context = Context()
        self.model = model

    def step_ok(self, batch, step, every):
        if (step + 1) % every != 0 and self.context.get_local_rank(Mode.GLOBAL) != -1:
            with self.model.no_sync():
                self.model(batch).sum().backward()
        else:
            self.model(batch).sum().backward()

    def step_bad(self, batch, step, every):
        if (step + 1) % every != 0 and self.context.get_local_rank(Mode.GLOBAL) != 0:
            with self.model.no_sync():  # expect: [no-sync-divergent]
                self.model(batch).sum().backward()
        else:
            self.model(batch).sum().backward()


def step_of_group_ok(model, batch, group):
    if dist.get_rank(group) != -1:
        with model.no_sync():
            model(batch).sum().backward()
    else:
        model(batch).sum().backward()


def step_of_group_bad(model, batch, group):
    if dist.get_rank(group) > 1:
        with model.no_sync():  # expect: [no-sync-divergent]
            model(batch).sum().backward()
    else:
        model(batch).sum().backward()
