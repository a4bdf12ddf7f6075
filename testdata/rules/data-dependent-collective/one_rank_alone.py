# Behind a branch that one rank alone takes there are no two that could see different things.
import time

import torch.distributed as dist


class Trainer:
    def __init__(self, seconds):
        self.seconds, self.last = seconds, time.time()

    def save(self, x):
        dist.all_reduce(x)
        self.last = time.time()

    def save_by_the_clock_bad(self, x):
        if dist.get_rank() == 0:
            if time.time() - self.last >= self.seconds:
                self.save(x)  # expect: [rank-guarded-collective]
        dist.barrier()

    def all_by_the_clock_bad(self, x):
        if time.time() - self.last >= self.seconds:
            self.save(x)
        dist.barrier()  # expect: [data-dependent-collective] "clock"

    def some_by_the_clock_bad(self, x, group):
        if dist.get_rank() < 2:
            if time.time() - self.last >= self.seconds:
                dist.all_reduce(x, group=group)  # expect: [data-dependent-collective] "clock"


def behind_the_join_bad(x, deadline):
    if dist.get_rank() == 0:
        print("late")
    if time.time() > deadline:
        dist.all_reduce(x)  # expect: [data-dependent-collective] "clock"


def first_of_each_group_bad(x, tp_group, dp_group, deadline):
    if dist.get_rank(tp_group) == 0:
        if time.time() > deadline:
            dist.all_reduce(x, group=dp_group)  # expect: [data-dependent-collective] "clock"
