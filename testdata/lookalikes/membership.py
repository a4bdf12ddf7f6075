"""Groups created by all and used by their members; point-to-point in pairs; turns."""
import torch
import torch.distributed as dist


def created_in_a_loop(lists, x):
    rank = dist.get_rank()
    mine = None
    for members in lists:
        group = dist.new_group(members)
        if rank in members:
            mine = group
    if mine is not None:
        dist.all_reduce(x, group=mine)


def test_equal_to_the_group(members, x):
    group = dist.new_group(members)
    if dist.get_rank() in members:
        dist.all_reduce(x, group=group)
    dist.barrier()


def first_ranks(x):
    size = dist.get_world_size() // 2
    members = list(range(size))
    group = dist.new_group(members)
    if dist.get_rank() < size:
        dist.broadcast(x, src=0, group=group)


class Gatherer:
    def __init__(self, members):
        self.members = members
        self.group = dist.new_group(members)

    def gather(self, x):
        if dist.get_rank() not in self.members:
            return None
        parts = [torch.empty_like(x) for _ in self.members]
        dist.all_gather(parts, x, group=self.group)
        return parts


def parity_exchange(x, buffer):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if rank % 2 == 0:
        dist.send(x, dst=(rank + 1) % world_size)
        dist.recv(buffer, src=(rank - 1) % world_size)
    else:
        dist.recv(buffer, src=(rank - 1) % world_size)
        dist.send(x, dst=(rank + 1) % world_size)
    dist.barrier()


def pipeline_exchange(x, buffer):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if rank > 0:
        dist.recv(buffer, src=rank - 1)
    if rank < world_size - 1:
        dist.send(x, dst=rank + 1)
    dist.barrier()


def ring(x, buffer):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    requests = dist.batch_isend_irecv(
        [
            dist.P2POp(dist.isend, x, (rank + 1) % world_size),
            dist.P2POp(dist.irecv, buffer, (rank - 1) % world_size),
        ]
    )
    for request in requests:
        request.wait()


def turns(load):
    for turn in range(dist.get_world_size()):
        if turn == dist.get_rank():
            load()
        dist.barrier()


def in_waves(load, width):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    for first in range(0, world_size, width):
        if first <= rank < first + width:
            load()
        dist.barrier()
