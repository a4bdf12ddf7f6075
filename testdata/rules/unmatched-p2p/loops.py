import torch.distributed as dist


def gather_from_all_bad(x):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank == 0:
        for other in range(2, size):
            dist.recv(x, other)
    else:
        dist.send(x, 0)  # expect: [unmatched-p2p] "rank 1 sends to rank 0, which does not receive it"


def gather_from_all_ok(x):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank == 0:
        for other in range(1, size):
            dist.recv(x, other)
    else:
        dist.send(x, 0)


def twice_round_bad(x):
    rank = dist.get_rank()
    if rank == 0:
        for _ in range(2):
            dist.send(x, 1)  # expect: [unmatched-p2p] "rank 0 sends to rank 1"
    elif rank == 1:
        for _ in range(1):
            dist.recv(x, 0)


def batched_bad(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    ops = [dist.P2POp(dist.isend, x, (rank + 1) % size), dist.P2POp(dist.irecv, y, (rank - 1) % size)]
    ops.append(dist.P2POp(dist.isend, y, (rank + 1) % size))
    for work in dist.batch_isend_irecv(ops):  # expect: [unmatched-p2p] "which does not receive it"
        work.wait()


def by_index_ok(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    ops = []
    if rank > 0:
        ops.append(dist.P2POp(dist.isend, x, rank - 1))
    if rank < size - 1:
        ops.append(dist.P2POp(dist.irecv, y, rank + 1))
    works = dist.batch_isend_irecv(ops)
    works[0].wait()


def two_ranks_ok(x):
    # Right in a job of two ranks, which is what it may have been written for.
    if dist.get_rank() == 0:
        dist.send(x, 1)
    else:
        dist.recv(x, 0)  # silent: [ends-otherwise]


def handles_in_a_list_ok(x, parts):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank == 0:
        works = []
        for other in range(1, size):
            works.append(dist.irecv(parts[other], other))
        for work in works:
            work.wait()
    else:
        dist.send(x, 0)


def not_everybody_ok(x, senders):
    # Who sends is not known here.
    if dist.get_rank() in senders:
        dist.send(x, 0)
    elif dist.get_rank() == 0:
        dist.recv(x, 1)
