"""In a ring every rank receives first, so nobody sends."""
import torch
import torch.distributed as dist

WORLD_SIZE = 3


def bad():
    rank, size = dist.get_rank(), dist.get_world_size()
    x = torch.ones(4)
    dist.recv(x, src=(rank - 1) % size)
    dist.send(x, dst=(rank + 1) % size)


def good():
    rank, size = dist.get_rank(), dist.get_world_size()
    x, y = torch.ones(4), torch.ones(4)
    ops = [dist.P2POp(dist.isend, x, (rank + 1) % size), dist.P2POp(dist.irecv, y, (rank - 1) % size)]
    for work in dist.batch_isend_irecv(ops):
        work.wait()
