"""A last rank is an even one in some worlds and an odd one in others, the second in one and the third in another."""
import os

import torch.distributed as dist
from megatron.core import parallel_state as mpu


def even_last_bad():
    rank, size = mpu.get_tensor_model_parallel_rank(), mpu.get_tensor_model_parallel_world_size()
    if rank % 2 == 0:
        if rank == size - 1:
            dist.barrier(group=mpu.get_tensor_model_parallel_group())  # expect: [rank-guarded-collective] "`barrier` on `tp`"


def last_of_few_bad():
    if dist.get_rank() < 3 and dist.get_rank() == dist.get_world_size() - 1:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world`"


# No world has a first rank that is odd.
def odd_first_ok():
    rank = mpu.get_tensor_model_parallel_rank()
    if rank % 2 == 1:
        if rank == 0:
            dist.barrier(group=mpu.get_tensor_model_parallel_group())


# The callee asks along an axis that the caller does not name.
def asks_along_an_axis(x):
    if mpu.get_data_parallel_rank() < 1:
        return  # expect: [early-exit-before-collective] "`all_reduce` on `world`"
    dist.all_reduce(x)


def calls_it(x):
    asks_along_an_axis(x)


class Learner:
    def __init__(self, settings):
        self.rank, self.world_size = settings.rank, settings.world_size

    def start_fn(self, x):
        if self.world_size > 1:
            dist.broadcast(x, 0)
        elif self.rank == 0:
            dist.all_reduce(x)  # silent: [job-of-one-rank]

    def start_by_environment_ok(self, x):
        if int(os.environ.get("WORLD_SIZE", 1)) > 1:
            dist.broadcast(x, 0)
        elif self.rank == 0:
            dist.all_reduce(x)

    def starts_many(self, x):
        if self.world_size == 1:
            dist.broadcast(x, 0)
        elif self.rank == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"
