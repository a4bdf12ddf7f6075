"""An object of which only the base is known: one of many classes may communicate, or most of them."""
import abc

import torch.distributed as dist


class Engine(abc.ABC):
    @abc.abstractmethod
    def run(self, x): ...


class Plain(Engine):
    def run(self, x):
        return x + 1


class Served(Engine):
    def run(self, x):
        return x + 2


class Remote(Engine):
    def run(self, x):
        return x + 3


class Traced(Engine):
    def run(self, x):
        dist.all_reduce(x)
        return x


def one_of_many_ok(engine: Engine, x):
    # The three others do nothing of the kind.
    if dist.get_rank() == 0:
        x = engine.run(x)  # silent: [one-of-many-classes]
    return x


class Store(abc.ABC):
    @abc.abstractmethod
    def save(self, x): ...


class Sharded(Store):
    def save(self, x):
        dist.barrier()


class Gathered(Store):
    def save(self, x):
        dist.barrier()


class Local(Store):
    def save(self, x):
        print(x)


def most_of_them_bad(store: Store, x):
    if dist.get_rank() == 0:
        store.save(x)  # expect: [rank-guarded-collective] "`barrier`"
    return x
