# Loops that nobody leaves: who waits in one waits for ranks that go round for ever.
import torch.distributed as dist


def serve_bad(queue):
    while True:
        item = queue.get()
        if dist.get_rank() == 0:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def send_first_bad(x):
    if dist.get_rank() == 0:
        dist.broadcast(x, 0)  # expect: [rank-guarded-collective] "`broadcast`"


def forever(x):
    while True:
        send_first_bad(x)


def poll_ok(x):
    while True:
        if dist.get_rank() == 0:
            dist.broadcast(x, 0)
        else:
            dist.broadcast(x, 0)


def lead(x):
    if dist.get_rank() == 0:
        dist.broadcast(x, 0)


def pair_ok(x):
    while True:
        lead(x)
        if dist.get_rank() != 0:
            dist.broadcast(x, 0)
