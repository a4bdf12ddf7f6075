"""Neighbours in a ring of some ranks, by their number there and by their number in the world."""
import torch.distributed as dist
from megatron.core import mpu


def next_in_the_ring_bad(x):
    group = mpu.get_context_parallel_group()
    right = (dist.get_rank(group) + 1) % dist.get_world_size(group)
    dist.send(x, right, group)  # expect: [foreign-peer] "`send` takes its peer"


def next_of_a_coordinate_bad(x):
    left = (mpu.get_context_parallel_rank() - 1) % mpu.get_context_parallel_world_size()
    dist.recv(x, src=left, group=mpu.get_context_parallel_group())  # expect: [foreign-peer]


def described_bad(x):
    group = mpu.get_context_parallel_group()
    rank, size = dist.get_rank(group), dist.get_world_size(group)
    operations = [dist.P2POp(dist.isend, x, rank + 1 if rank < size - 1 else 0, group)]  # expect: [foreign-peer]
    for work in dist.batch_isend_irecv(operations):
        work.wait()


def translated_ok(x):
    group = mpu.get_context_parallel_group()
    right = (dist.get_rank(group) + 1) % dist.get_world_size(group)
    dist.send(x, dist.get_global_rank(group, right), group)


def looked_up_ok(x, ranks):
    group = mpu.get_context_parallel_group()
    right = (dist.get_rank(group) + 1) % dist.get_world_size(group)
    dist.send(x, ranks[right], group)


def computed_ok(x, first):
    group = mpu.get_context_parallel_group()
    right = (dist.get_rank(group) + 1) % dist.get_world_size(group)
    dist.send(x, first + right * mpu.get_tensor_model_parallel_world_size(), group)


def of_the_world_ok(x):
    right = (dist.get_rank() + 1) % dist.get_world_size()
    dist.send(x, right)


def of_whatever_group_ok(x, group=None):
    right = (dist.get_rank(group) + 1) % dist.get_world_size(group)
    dist.send(x, right, group)
