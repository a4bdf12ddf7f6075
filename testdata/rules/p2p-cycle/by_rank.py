import torch.distributed as dist


def both_send_first_bad(x, y):
    rank = dist.get_rank()
    if rank == 0:
        dist.send(x, 1)  # expect: [p2p-cycle] "rank 0 sends to rank 1, which sends to rank 0: unless sends are buffered"
        dist.recv(y, 1)
    elif rank == 1:
        dist.send(x, 0)  # expect-note: "rank 1 sends to rank 0"
        dist.recv(y, 0)


def barrier_between_bad(x):
    rank = dist.get_rank()
    if rank == 0:
        dist.barrier()
        dist.send(x, 1)
    elif rank == 1:
        dist.recv(x, 0)  # expect: [p2p-cycle] "rank 1 receives from rank 0, which waits in `barrier` for rank 1"
        dist.barrier()
    else:
        dist.barrier()


def barrier_behind_ok(x):
    rank = dist.get_rank()
    if rank == 0:
        dist.send(x, 1)
    elif rank == 1:
        dist.recv(x, 0)
    dist.barrier()


def parity_the_same_bad(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank % 2 == 0:
        dist.recv(y, (rank - 1) % size)  # expect: [p2p-cycle] "none goes on"
        dist.send(x, (rank + 1) % size)
    else:
        dist.recv(y, (rank - 1) % size)
        dist.send(x, (rank + 1) % size)


def waited_for_too_early_bad(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    work = dist.irecv(y, (rank - 1) % size)  # expect: [p2p-cycle] "receives first"
    work.wait()
    dist.send(x, (rank + 1) % size)


def trade_bad(x, y, rank, other):
    dist.send(x, other)  # expect: [p2p-cycle] "unless sends are buffered"
    dist.recv(y, other)


def by_calls(x, y):
    rank = dist.get_rank()
    if rank < 2:
        trade_bad(x, y, rank, 1 - rank)


def some_flag_ok(x, y, is_left):
    # Whoever calls it may tell one half of the ranks from the other by this.
    rank, size = dist.get_rank(), dist.get_world_size()
    if is_left:
        dist.send(x, (rank + 1) % size)
        dist.recv(y, (rank - 1) % size)
    else:
        dist.recv(y, (rank - 1) % size)
        dist.send(x, (rank + 1) % size)


def along_a_chain_ok(x, rank, size, control):
    while True:
        dist.broadcast(control, src=0)
        if control.item() == -2:
            break
        dist.recv(x, src=rank - 1)
        dist.send(x, dst=(rank + 1) % size)
