# A guard in a decorator, or around a call of what the caller passes, is told where something that communicates is
# handed to it: the guard itself is fine.
import functools

import torch.distributed as dist


def on_first_rank(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)
        return None

    return wrapper


def only_first_rank(function):
    def wrapper(*args, **kwargs):
        if dist.get_rank() != 0:
            return
        function(*args, **kwargs)

    return wrapper


@on_first_rank
def average_bad(x):  # expect: [rank-guarded-collective] "`all_reduce`"
    dist.all_reduce(x)


@only_first_rank
def meet_bad():  # expect: [rank-guarded-collective] "`barrier` on `world` is issued by rank 0 and not by"
    dist.barrier()


@on_first_rank
def write_ok(x):
    print(x)


def every_rank_calls(x):
    average_bad(x)  # told at the function
    write_ok(x)


def run_on_first_rank(function, x):
    if dist.get_rank() == 0:
        function(x)


def reduce(x):
    dist.all_reduce(x)


def function_passed_bad(x):
    run_on_first_rank(reduce, x)  # expect: [rank-guarded-collective] "`all_reduce`"


def function_passed_again_bad(x):
    run_on_first_rank(reduce, x)  # expect: [rank-guarded-collective] "`all_reduce`"


def lambda_passed_bad(x):
    run_on_first_rank(lambda y: dist.all_reduce(y), x)  # expect: [rank-guarded-collective] "`all_reduce`"


def printing_passed_ok(x):
    run_on_first_rank(print, x)


def wrapped_by_hand_bad(x):
    on_first_rank(reduce)(x)  # expect: [rank-guarded-collective] "`all_reduce`"
