import torch.distributed as dist


def other_peer_bad(x):
    rank = dist.get_rank()
    if rank == 0:
        dist.send(x, dst=1)  # expect: [unmatched-p2p] "rank 0 sends to rank 1"
    elif rank == 1:
        dist.recv(x, src=2)  # expect: [unmatched-p2p] "rank 1 receives from rank 2"


def other_tag_bad(x):
    if dist.get_rank() == 0:
        dist.send(x, 1, tag=7)  # expect: [unmatched-p2p] "with tag 7"
    else:
        if dist.get_rank() == 1:
            dist.recv(x, 0, tag=8)  # expect: [unmatched-p2p] "with tag 8"


def twice_bad(x, y):
    rank = dist.get_rank()
    if rank == 0:
        dist.send(x, 1)
        dist.send(y, 1)  # expect: [unmatched-p2p] "does not receive"
    if rank == 1:
        dist.recv(x, 0)


def paired_ok(x):
    rank = dist.get_rank()
    if rank == 0:
        dist.send(x, dst=1, tag=3)
        dist.recv(x, src=1)
    elif rank == 1:
        dist.recv(x, src=0, tag=3)
        dist.send(x, dst=0)


def whoever_ok(x):
    rank = dist.get_rank()
    if rank == 0:
        dist.send(x, 1)
    else:
        dist.recv(x)


def elsewhere_ok(x):
    if dist.get_rank() == 0:
        dist.send(x, 1)
