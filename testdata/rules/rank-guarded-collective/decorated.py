# What a decorator of the project wraps is called with what the caller wrote.
import functools

import torch.distributed as dist


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        finally:
            print(function.__name__)

    return wrapper


@timed
def average(x, group=None, enabled=True):
    if enabled:
        dist.all_reduce(x, group=group)


def average_on_first_bad(x):
    if dist.get_rank() == 0:
        average(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def average_by_keyword_bad(x):
    if dist.get_rank() == 0:
        average(x, enabled=True)  # expect: [rank-guarded-collective] "`all_reduce`"


def average_switched_off_ok(x):
    if dist.get_rank() == 0:
        average(x, enabled=False)


def average_everywhere_ok(x):
    average(x)


def options(**kwargs):
    if kwargs.pop("wait", False):
        dist.barrier()


def options_bad():
    if dist.get_rank() == 0:
        options(wait=True)  # expect: [rank-guarded-collective] "`barrier`"


def options_default_ok():
    if dist.get_rank() == 0:
        options()


class Trainer:
    def __init__(self):
        self.pipe = Pipe()

    def hooks(self):
        def post():
            if dist.get_rank() == 0:
                self.pipe.reduce()  # expect: [rank-guarded-collective] "`barrier`"

        return post


class Pipe:
    def reduce(self):
        dist.barrier()


def turns_ok():
    for rank in range(dist.get_world_size()):
        if dist.get_rank() == rank:
            print(rank)
            dist.barrier()  # silent: [takes-turns]


def only(ranks):
    def on_these(function):
        def guarded(x):
            if dist.get_rank() in ranks:
                function(x)
        return guarded
    return on_these


@only((0, 2))
def share_on_two_bad(x):  # expect: [rank-guarded-collective] "issued by ranks 0 and 2 and not by the other ranks"
    dist.all_reduce(x)


def shares_on_two(x):
    share_on_two_bad(x)
    dist.barrier()


def master_process_only(function):
    """The others wait until the first has done it."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            function(*args, **kwargs)
        else:
            dist.barrier()  # silent: [hands-communication-on]

    return wrapper


@master_process_only
def saved_and_met_ok(model, path):
    model.save(path)
    dist.barrier()


@master_process_only
def saved_bad(x):  # expect: [divergent-collective-order] "`all_reduce`"
    dist.all_reduce(x)


def main_process_only(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            function(*args, **kwargs)

    return wrapper


@main_process_only
def reduced_bad(x):
    dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def rank_zero_only(function):
    """Named like a guard, and lets all ranks through."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if args:
            return function(*args, **kwargs)
        print(function.__name__)
        return function()

    return wrapper


@rank_zero_only
def met_by_all_ok(x=None):
    dist.barrier()


def ranks_chosen(first_only=True):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if not first_only or dist.get_rank() == 0:
                return function(*args, **kwargs)

        return wrapper

    return decorate


@ranks_chosen(first_only=False)
def chosen_for_all_ok():
    dist.barrier()


@ranks_chosen(first_only=True)
def chosen_for_first_bad():  # expect: [rank-guarded-collective] "`barrier`"
    dist.barrier()


def first_does_it(function):
    """What it wraps is not known: nothing here uses it."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)  # silent: [hands-communication-on]
        dist.barrier()

    return wrapper


def rank_zero_first(log):
    def save():
        if dist.get_rank() != 0:
            log("not the first rank")
            return  # expect: [early-exit-before-collective] "`barrier`"
        dist.barrier()

    return save


def make_question():
    return lambda: dist.get_rank() == 0


def rank_zero_experiment(function):
    """A guard by its name, which asks something else that it holds."""
    is_first = make_question()

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if is_first():
            return function(*args, **kwargs)

    return wrapper


@rank_zero_experiment
def logged_by_first_bad(x):
    dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
