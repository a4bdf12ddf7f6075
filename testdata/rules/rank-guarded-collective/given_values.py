"""What a call is given decides whether it communicates: numbers that all have gathered, a bound, a kind."""
import torch
import torch.distributed as dist
from accelerate import Accelerator


class Metrics:
    def __init__(self, accelerator):
        self.accelerator = accelerator
        self.values = {}

    def gather(self):
        values = {name: torch.tensor(value) for name, value in self.values.items()}
        return {name: value.item() for name, value in self.accelerator.gather(values).items()}

    def show(self, step, gathered=None):
        if not self.accelerator.is_main_process:
            return
        print(step, self.gather() if gathered is None else gathered)


def gathered_before_ok():
    metrics = Metrics(Accelerator())
    metrics.show(1, gathered=metrics.gather())


def gathered_by_one_bad():
    if dist.get_rank() == 0:
        Metrics(Accelerator()).gather()  # expect: [rank-guarded-collective] "`all_gather`"


def prepare(model, ranks):
    if ranks > 1:
        dist.barrier()
    return model


def told_how_many_they_are_ok(model, half):
    if dist.get_rank() < half:
        prepare(model, half)  # silent: [tells-how-many]


def train(model, kind=None):
    for x in model:
        dist.all_reduce(x)


def profiled_in_either_way_ok(args, model):
    if dist.get_rank() in args.profiled:
        if args.kind == "torch":
            train(model, "torch")
        elif args.kind == "cupti":
            train(model, "cupti")
    else:
        train(model)  # silent: [one-of-the-kinds]


def profiled_in_one_way_only_bad(args, model):
    if dist.get_rank() == 0:
        if args.kind == "torch":
            train(model, "torch")
    else:
        train(model)  # expect: [rank-guarded-collective] "`all_reduce`"
