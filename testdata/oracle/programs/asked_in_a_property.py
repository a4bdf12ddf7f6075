"""A property that looks like a number reduces over all ranks, and rank 0 logs it."""
import torch
import torch.distributed as dist

WORLD_SIZE = 2


class Meter:
    def __init__(self):
        self.total = torch.ones(1)

    @property
    def average(self):
        dist.all_reduce(self.total)
        return self.total.item() / dist.get_world_size()


def bad():
    meter = Meter()
    if dist.get_rank() == 0:
        print(end="" if meter.average else "zero")


def good():
    meter = Meter()
    average = meter.average
    if dist.get_rank() == 0:
        print(end="" if average else "zero")
