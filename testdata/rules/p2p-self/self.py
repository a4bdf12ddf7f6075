import torch.distributed as dist


def own_rank_bad(x):
    dist.send(x, dst=dist.get_rank())  # expect: [p2p-self] "the rank itself"


def constant_bad(x):
    if dist.get_rank() == 0:
        dist.recv(x, src=0)  # expect: [p2p-self] "the rank itself"


def neighbour_ok(x):
    dist.isend(x, dst=(dist.get_rank() + 1) % dist.get_world_size()).wait()
    if dist.get_rank() == 0:
        dist.send(x, dst=1)
