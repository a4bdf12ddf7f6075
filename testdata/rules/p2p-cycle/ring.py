import torch.distributed as dist


def send_first_bad(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    dist.send(x, (rank + 1) % size)  # expect: [p2p-cycle] "sends first"
    dist.recv(y, (rank - 1) % size)  # expect-note: "receive"


def receive_first_bad(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    dist.recv(y, src=(rank - 1) % size)  # expect: [p2p-cycle] "receives first"
    dist.send(x, dst=(rank + 1) % size)


def parity_ok(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank % 2 == 0:
        dist.send(x, (rank + 1) % size)
        dist.recv(y, (rank - 1) % size)
    else:
        dist.recv(y, (rank - 1) % size)
        dist.send(x, (rank + 1) % size)


def started_ok(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    work = dist.isend(x, (rank + 1) % size)
    dist.recv(y, (rank - 1) % size)
    work.wait()


def batched_ok(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    ops = [dist.P2POp(dist.isend, x, (rank + 1) % size), dist.P2POp(dist.irecv, y, (rank - 1) % size)]
    for work in dist.batch_isend_irecv(ops):
        work.wait()


def chain_ok(x, y):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank > 0:
        dist.recv(y, rank - 1)
    if rank < size - 1:
        dist.send(x, rank + 1)


def pipeline_ok(x, next_stage, previous_stage):
    dist.send(x, next_stage)
    dist.recv(x, previous_stage)
