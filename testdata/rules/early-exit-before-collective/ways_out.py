# A rank is said to leave where it does.
import torch.distributed as dist


def returns_bad(x):
    if dist.get_rank() % 2 == 1:
        return  # expect: [early-exit-before-collective] "odd ranks leave here, and even ranks go on to"
    dist.all_reduce(x)  # expect-note: "even ranks wait here"


def returns_on_most_bad(x):
    if dist.get_rank() >= 2:
        return None  # expect: [early-exit-before-collective] "ranks from 2 on leave here, and ranks 0 and 1 go on to"
    dist.all_reduce(x)


def breaks_bad(x, steps):
    for step in range(steps):
        if dist.get_rank() == 3:
            break  # expect: [early-exit-before-collective] "rank 3 leaves here, and the other ranks go on to"
        dist.all_reduce(x)  # expect-note: "every rank but 3 waits here"


def breaks_beside_else_bad(x, steps):
    for step in range(steps):
        if dist.get_rank() == 3:
            break  # expect: [early-exit-before-collective] "rank 3 leaves here, and the other ranks go on to"
        else:
            x = x * 2
            print(x)
        dist.all_reduce(x)


def continues_bad(x, steps):
    for step in range(steps):
        if dist.get_rank() < 2:
            continue  # expect: [early-exit-before-collective] "ranks 0 and 1 leave here, and the other ranks go on to"
        dist.all_reduce(x)


def skips_to_the_end_bad(x):  # expect-note: "rank 0 reaches the end of `skips_to_the_end_bad`"
    if dist.get_rank() != 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by every rank but 0 and not by rank 0"


def while_loop_bad(x, done):
    while not done(x):
        if dist.get_rank() == 0:
            break  # expect: [early-exit-before-collective] "rank 0 leaves here, and the other ranks go on to"
        dist.all_reduce(x)
