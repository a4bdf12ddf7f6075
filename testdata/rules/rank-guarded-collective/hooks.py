"""Hooks that a base class or a list of callbacks runs on one rank."""
import torch.distributed as dist


class Recorder:
    def run(self, x):
        if dist.get_rank() == 0:
            self.report(x)  # expect: [rank-guarded-collective] "`all_reduce`"
        dist.barrier()

    def report(self, x):
        pass

    def run_all(self, x):
        self.report_all(x)
        dist.barrier()

    def report_all(self, x):
        pass


class SummingRecorder(Recorder):
    def report(self, x):
        dist.all_reduce(x)

    def report_all(self, x):
        dist.all_reduce(x)


class Callback:
    def on_save(self, state):
        pass

    def on_step(self, state):
        pass


class AveragingCallback(Callback):
    def on_save(self, state):
        dist.all_reduce(state.loss)

    def on_step(self, state):
        dist.all_reduce(state.loss)


class Trainer:
    def __init__(self, callbacks: list[Callback]):
        self.callbacks = callbacks

    def save(self, state):
        if dist.get_rank() == 0:
            for callback in self.callbacks:
                callback.on_save(state)  # expect: [rank-guarded-collective] "`all_reduce`"
        dist.barrier()

    def step(self, state):
        for callback in self.callbacks:
            callback.on_step(state)
