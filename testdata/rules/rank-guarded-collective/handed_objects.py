"""Objects that callers hand over: no annotation tells what they are."""
import torch.distributed as dist


class Statistics:
    def mean(self, x):
        dist.all_reduce(x)
        return x / dist.get_world_size()


class Silence:
    def mean(self, x):
        return x


class Hook:
    def after_epoch(self):
        pass


class Wait(Hook):
    def after_epoch(self):
        dist.barrier()


class Print(Hook):
    def after_epoch(self):
        print("done")


class Trainer:
    def __init__(self, statistics, hooks):
        self.statistics = statistics
        self.hooks = hooks
        self.rank = dist.get_rank()

    def report_bad(self, loss):
        if self.rank == 0:
            print(self.statistics.mean(loss))  # expect: [rank-guarded-collective] "`all_reduce`"

    def report_ok(self, loss):
        mean = self.statistics.mean(loss)
        if self.rank == 0:
            print(mean)

    def end_bad(self):
        if self.rank == 0:
            for hook in self.hooks:
                hook.after_epoch()  # expect: [rank-guarded-collective] "`barrier`"

    def end_ok(self):
        for number, hook in enumerate(self.hooks):
            hook.after_epoch()


class Quiet:
    def __init__(self, statistics):
        self.statistics = statistics

    def report_ok(self, loss):
        # Two callers, two classes that have nothing in common.
        if dist.get_rank() == 0:
            print(self.statistics.mean(loss))


class Told:
    hooks: list[Hook]

    def __init__(self, hooks: list[Hook]):
        self.hooks = hooks

    def end_bad(self):
        if dist.get_rank() == 0:
            for hook in self.hooks:
                hook.after_epoch()  # expect: [rank-guarded-collective] "`barrier`"


def printed_ok(hooks):
    if dist.get_rank() == 0:
        for hook in hooks:
            hook.after_epoch()


def main(loss):
    statistics = Statistics()
    trainer = Trainer(statistics, [Wait(), Print()])
    trainer.report_bad(loss)
    trainer.report_ok(loss)
    trainer.end_bad()
    trainer.end_ok()
    Quiet(Statistics()).report_ok(loss)
    Quiet(Silence()).report_ok(loss)
    Told([Wait()]).end_bad()
    printed_ok([Print()])
