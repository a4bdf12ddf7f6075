"""Functions within functions: what they use of the one around was wrapped or made there."""
import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch.distributed.fsdp import FullyShardedDataParallel


class Statistics:
    def mean(self, x):
        dist.all_reduce(x)
        return x / dist.get_world_size()


class Silence:
    def mean(self, x):
        return x


def wrapped_bad(model, batches):
    model = FullyShardedDataParallel(model)

    def predict(x):
        return model(x)

    if dist.get_rank() == 0:
        for x in batches:
            print(predict(x))  # expect: [rank-guarded-collective] "`all_gather` on `world`"


def wrapped_ok(model, batches):
    model = FullyShardedDataParallel(model)

    def predict(x):
        return model(x)

    for x in batches:
        y = predict(x)
        if dist.get_rank() == 0:
            print(y)


def annotated_bad(model: FullyShardedDataParallel, x):
    def predict():
        return model(x)

    if dist.get_rank() == 0:
        print(predict())  # expect: [rank-guarded-collective] "`all_gather` on `world`"


def generator_bad(model, batches):
    net = FullyShardedDataParallel(model)
    if dist.get_rank() == 0:
        print(sum(net(x) for x in batches))  # expect: [generator-collective] "`all_gather` on `world`"


def score(model, batches):
    return max(model(x) for x in batches)


def handed_over_bad(net, batches):
    model = FullyShardedDataParallel(net)
    if dist.get_rank() == 0:
        print(score(model, batches))  # expect: [generator-collective] "`all_gather` on `world`"


def made_here_bad(xs):
    statistics = Statistics()

    def report(x):
        print(statistics.mean(x))

    if dist.get_rank() == 0:
        for x in xs:
            report(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def deeper_bad(x):
    statistics = Statistics()

    def report():
        return (lambda: statistics.mean(x))()

    if dist.get_rank() == 0:
        print(report())  # expect: [rank-guarded-collective] "`all_reduce`"


def either_ok(quiet, x):
    statistics = Statistics()
    if quiet:
        statistics = Silence()

    def report():
        print(statistics.mean(x))

    if dist.get_rank() == 0:
        report()


def its_own_ok(x):
    statistics = Statistics()

    def report(statistics):
        print(statistics.mean(x))

    if dist.get_rank() == 0:
        report(Silence())
    statistics.mean(x)


def of_a_library_bad(loader):
    state = Accelerator()

    def collect(x):
        return state.gather(x)

    if state.is_main_process:
        for x in loader:
            collect(x)  # expect: [rank-guarded-collective] "`all_gather`"


def asked_first_ok(net, x, use_fsdp):
    model = net
    if use_fsdp:
        model = FullyShardedDataParallel(net)

    def predict():
        if use_fsdp:
            return None
        return model(x)

    if dist.get_rank() == 0:
        print(predict())
