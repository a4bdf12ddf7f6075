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


def nobody_sends_in_a_job_of_two_bad(x, everyone):
    # Of two ranks the first one waits where not everyone takes part; of three, one is not heard where everyone does.
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank % 2 == 0 or everyone:
        if rank == 0:
            dist.recv(x, (rank - 1) % size)
        else:
            dist.send(x, 0)  # expect: [unmatched-p2p] "rank 1 sends to rank 0"


def in_a_job_of_two_ok(x, everyone):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank < 2 or everyone:
        if rank == 0:
            dist.recv(x, (rank + 1) % size)
        elif rank == 1:
            dist.send(x, 0)
