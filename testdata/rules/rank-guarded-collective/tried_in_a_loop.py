"""What comes behind a loop is reached, also where a handler in the loop goes on with the next round."""
import torch.distributed as dist


def read_twice_bad(path, x):
    for _ in range(2):
        try:
            print(open(path).read())
        except OSError:
            print("unreadable")
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "is issued by rank 0 and not by the other ranks"


def read_twice_ok(path, x):
    for _ in range(2):
        try:
            print(open(path).read())
        except OSError:
            print("unreadable")
    dist.all_reduce(x)


def caught_by_its_name_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)
    dist.all_reduce(x)
    try:
        raise ValueError("always")
    except ValueError:
        print("caught")
    dist.all_reduce(x)  # expect: [divergent-collective-order] "once more by rank 0"


def caught_by_its_name_ok(x):
    try:
        if dist.get_rank() == 0:
            raise ValueError("rank 0 takes the other way")
        dist.all_reduce(x)
    except ValueError:
        dist.all_reduce(x)
