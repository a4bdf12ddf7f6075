# Loops that no rank leaves: a rank that waits here waits for ranks that loop forever.
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


def follow(x, run):
    while True:
        dist.broadcast(x, 0)
        if x[0] == 0:
            return
        run(x)


def serve_by_callbacks_ok(x, server, run):
    if dist.get_rank() == 0:
        server.serve_forever()
    else:
        follow(x, run)  # silent: [commanded-by-root]


def group_of(ranks, made={}):
    return made.get(ranks)


def groups_that_may_be_one(x, run):
    if dist.get_rank() == 0:
        while True:
            dist.broadcast(x, 0, group=group_of(1))
            run(x)
    else:
        while True:
            dist.broadcast(x, 0, group=group_of(2))
            run(x)
