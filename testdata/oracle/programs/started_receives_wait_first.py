"""Messages are started and not blocked in; that both wait for theirs before either has sent is as bad."""
import torch
import torch.distributed as dist

WORLD_SIZE = 2


def bad():
    other = 1 - dist.get_rank()
    x, y = torch.ones(4), torch.empty(4)
    taken = dist.irecv(y, src=other)
    taken.wait()
    given = dist.isend(x, dst=other)
    given.wait()


def good():
    other = 1 - dist.get_rank()
    x, y = torch.ones(4), torch.empty(4)
    taken = dist.irecv(y, src=other)
    given = dist.isend(x, dst=other)
    taken.wait()
    given.wait()
