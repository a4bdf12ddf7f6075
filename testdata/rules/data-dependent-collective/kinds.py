"""What is drawn at random or measured differs between ranks; of what type it is does not."""
import random
import time

import torch
import torch.distributed as dist


def check_type(x):
    if not isinstance(x, torch.Tensor):
        raise TypeError(x)
    dist.all_reduce(x)


def random_tensor_ok():
    check_type(torch.randn(4, 4))


def optional_ok(x=None):
    drawn = torch.rand(4) if x is None else x
    if drawn is not None:
        dist.all_reduce(drawn)


def one_entry_of_many_ok(x, mode):
    settings = {"seed": random.random(), "mode": mode}
    if settings["verbose"]:
        dist.all_reduce(x)


def all_entries_bad(x):
    drawn = {"a": random.random(), "b": random.random()}
    if drawn["a"] < 0.5:
        dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"


def drawn_bad(x):
    if torch.rand(1).item() < 0.5:
        dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"


def given_up_ok(x, limit):
    # A rank that waits too long fails, and says so.
    start = time.time()
    while not done(x):
        if time.time() - start > limit:
            raise TimeoutError("the others are not ready")


def done(x):
    dist.all_reduce(x)
    return x.item() > 0


def stopped_by_clock_bad(x, rounds, limit):
    start = time.time()
    for _ in range(rounds):
        if time.time() - start > limit:
            return False  # expect: [data-dependent-collective] "`all_reduce`"
        dist.all_reduce(x)
    return True


def each(parts, others, x):
    for part, other in zip(parts, others):
        dist.all_reduce(x)


def lists_of_random_ok(x):
    each([{"input": torch.randn(4)}], [torch.randn(4)], x)


def random_number_of_rounds_bad(x):
    for _ in range(random.randint(1, 4)):  # expect: [rank-dependent-loop] "`range(random.randint(1, 4))` has "
        dist.all_reduce(x)
