"""What a guarded call may lead to before it communicates."""
import contextlib
import functools

import torch
import torch.distributed as dist


def leaf(x):
    dist.all_reduce(x)
    return x


def fourth(x):
    return leaf(x)


def third(x):
    return fourth(x) / 2


def second(x):
    return third(x)


def first(x):
    return second(x)


def five_calls_down_bad(x):
    if dist.get_rank() == 0:
        return first(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def chain_on_all_ranks_ok(x):
    x = first(x)
    if dist.get_rank() == 0:
        print(x)


class WarmedUp:
    def __init__(self, x):
        self.x = leaf(x)


def constructor_bad(x):
    if dist.get_rank() == 0:
        return WarmedUp(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return None


class Statistics:
    def __init__(self, x):
        self.x = x

    @property
    def mean(self):
        dist.all_reduce(self.x)
        return self.x / dist.get_world_size()

    @property
    def local(self):
        return self.x


def property_bad(x):
    statistics = Statistics(x)
    if dist.get_rank() == 0:
        print(statistics.mean)  # expect: [rank-guarded-collective] "`all_reduce`"


def local_property_ok(x):
    statistics = Statistics(x)
    if dist.get_rank() == 0:
        print(statistics.local)


class Synchronised:
    def __enter__(self):
        dist.barrier()
        return self

    def __exit__(self, kind, value, traceback):
        return False


def context_manager_bad(x):
    if dist.get_rank() == 0:
        with Synchronised():  # expect: [rank-guarded-collective] "`barrier`"
            print(x)


@contextlib.contextmanager
def aligned():
    dist.barrier()
    yield
    dist.barrier()


def generator_context_manager_bad(x):
    if dist.get_rank() == 0:
        with aligned():  # expect: [rank-guarded-collective] "`barrier`"
            print(x)


def guard_inside_the_context_ok(x):
    with aligned():
        if dist.get_rank() == 0:
            print(x)


def with_barrier(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        dist.barrier()
        return function(*args, **kwargs)

    return wrapper


@with_barrier
def write(x):
    print(x)


def decorated_function_bad(x):
    if dist.get_rank() == 0:
        write(x)  # expect: [rank-guarded-collective] "`barrier`"


def each(items, callback):
    for item in items:
        callback(item)


def callback_bad(items):
    if dist.get_rank() == 0:
        each(items, leaf)  # expect: [rank-guarded-collective] "`all_reduce`"


def harmless_callback_ok(items):
    if dist.get_rank() == 0:
        each(items, print)


def lambda_bad(x):
    reduce_it = lambda: dist.all_reduce(x)
    if dist.get_rank() == 0:
        reduce_it()  # expect: [rank-guarded-collective] "`all_reduce`"


def lambda_that_is_not_called_ok(x):
    if dist.get_rank() == 0:
        pending = lambda: dist.all_reduce(x)
        print(pending)


def partial_bad(x, group):
    reduce_it = functools.partial(dist.all_reduce, group=group)
    if dist.get_rank() == 0:
        reduce_it(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def nested_function_bad(x):
    def publish():
        dist.all_reduce(x)

    if dist.get_rank() == 0:
        publish()  # expect: [rank-guarded-collective] "`all_reduce`"


class Block(torch.nn.Module):
    def forward(self, x):
        dist.all_reduce(x)
        return x


def module_call_bad(x):
    block = Block()
    if dist.get_rank() == 0:
        return block(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)

    def sample_bad(self, x):
        if dist.get_rank() == 0:
            x = self(x)  # expect: [rank-guarded-collective] "`all_reduce`"
        return x


class Base:
    def save(self, x):
        dist.barrier()


class Quiet(Base):
    def save(self, x):
        print(x)


class Loud(Base):
    def save(self, x):
        super().save(x)
        print(x)


def inherited_through_super_bad(x):
    if dist.get_rank() == 0:
        Loud().save(x)  # expect: [rank-guarded-collective] "`barrier`"


def overridden_without_communication_ok(x):
    if dist.get_rank() == 0:
        Quiet().save(x)


HANDLERS = {"leaf": leaf, "warm": WarmedUp}


def registry_bad(x):
    handler = HANDLERS["warm"]
    if dist.get_rank() == 0:
        handler(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def recursion(x, depth):
    if depth == 0:
        dist.all_reduce(x)
        return x
    return recursion(x, depth - 1)


def recursive_callee_bad(x):
    if dist.get_rank() == 0:
        recursion(x, 3)  # expect: [rank-guarded-collective] "`all_reduce`"


class Hooks:
    def __init__(self):
        self.hooks = []

    def fire(self, x):
        for hook in self.hooks:
            hook(x)


def unknown_hooks_ok(hooks: Hooks, x):
    if dist.get_rank() == 0:
        hooks.fire(x)


class Tools:
    @staticmethod
    def synchronise(x):
        leaf(x)

    @classmethod
    def create(cls, x):
        leaf(x)
        return cls()


def static_method_bad(x):
    if dist.get_rank() == 0:
        Tools.synchronise(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def class_method_bad(x):
    if dist.get_rank() == 0:
        return Tools.create(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return None
