# The path is kept in an object when it is made, and used by a method of it.
import os

import torch.distributed as dist


class Log:
    def __init__(self, path):
        self.path = path

    def write_bad(self, numbers):
        with open(self.path, "a") as f:  # expect: [shared-file-written-by-all] "`self.path`"
            f.write(str(numbers))


class Table:
    def __init__(self, path):
        self.path = path

    def write_ok(self, numbers):
        with open(self.path, "a") as f:
            f.write(str(numbers))


def start():
    if dist.is_initialized():
        return dist.get_world_size(), dist.get_rank()
    dist.init_process_group("nccl")
    return dist.get_world_size(), dist.get_rank()


def train(folder, model):
    size, rank = start()
    table = Table(os.path.join(folder, f"numbers_{rank}.csv"))
    log = Log(os.path.join(folder, "numbers.csv"))
    table.write_ok(model.numbers)
    log.write_bad(model.numbers)
    dist.barrier()
