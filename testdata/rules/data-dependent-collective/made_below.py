"""What a test found missing is made by one rank in a function that is called."""
import os

import torch
import torch.distributed as dist


class Downloads:
    def __init__(self, path, log):
        self.path, self.log = path, log

    def fetch(self):
        if dist.get_rank() == 0:
            os.makedirs(self.path)
        dist.barrier()

    def note(self):
        if dist.get_rank() == 0:
            os.makedirs(self.log)
        dist.barrier()

    def meet_and_fetch(self):
        dist.barrier()
        if dist.get_rank() == 0:
            os.makedirs(self.path)

    def load_bad(self):
        if not os.path.exists(self.path):
            self.fetch()  # expect: [data-dependent-collective] "file system"
        return torch.load(self.path)

    def another_path_ok(self):
        if not os.path.exists(self.path):
            self.note()  # silent: [alike-on-ranks]

    def met_before_ok(self):
        if not os.path.exists(self.path):
            self.meet_and_fetch()  # silent: [alike-on-ranks]


def store(value, file):
    if dist.get_rank() == 0:
        torch.save(value, file)
    dist.barrier()


def given_to_a_function_bad(value, path):
    if not os.path.exists(path):
        store(value, path)  # expect: [data-dependent-collective] "file system"


def given_by_name_bad(value, path):
    if not os.path.exists(path):
        store(value, file=path)  # expect: [data-dependent-collective] "file system"


def given_something_else_ok(value, path, other):
    if not os.path.exists(path):
        store(value, other)  # silent: [alike-on-ranks]
