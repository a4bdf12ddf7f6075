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


class Painter:
    def __init__(self, folder):
        self.folder = folder
        self.name = None

    def set_target(self, name):
        self.name = os.path.basename(name)

    def paint_ok(self):
        os.makedirs(os.path.join(self.folder, self.name))

    def paint_more_ok(self):
        path = "%s/%s" % (self.folder, self.name)
        if not os.path.exists(path):
            os.makedirs(path)

    def finish_bad(self):
        os.makedirs(self.folder)  # expect: [shared-file-written-by-all] "makes the folder"


class Studio:
    def __init__(self, folder):
        self.painter = Painter(folder)

    def run(self, loader):
        dist.init_process_group("nccl")
        for image, name in loader:
            self.painter.set_target(name)
            self.painter.paint_ok()
            self.painter.paint_more_ok()
        self.painter.finish_bad()
