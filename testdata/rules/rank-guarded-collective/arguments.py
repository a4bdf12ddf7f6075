"""The rank travels through arguments, returns and attributes before it is tested."""
from dataclasses import dataclass

import torch.distributed as dist


def synchronise_if(flag, x):
    if flag:
        dist.all_reduce(x)
    return x


def flag_passed_to_the_callee_bad(x):
    return synchronise_if(dist.get_rank() == 0, x)  # expect: [rank-guarded-collective] "`all_reduce`"


def gather_for(x, verbose):
    if verbose:
        dist.all_reduce(x)


def uniform_flag_passed_ok(x, config):
    gather_for(x, config.verbose)
    gather_for(x, True)


def is_main_process():
    return dist.get_rank() == 0


def main_process_of(world_rank):
    return world_rank == 0


def returned_by_a_helper_bad(x):
    if is_main_process():
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def returned_through_an_argument_bad(x):
    if main_process_of(dist.get_rank()):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def returned_in_a_tuple_bad(x):
    rank, world_size = rank_and_size()
    if rank == 0 and world_size > 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def size_from_the_tuple_ok(x):
    rank, world_size = rank_and_size()
    if world_size > 1:
        dist.all_reduce(x)
    return rank


def rank_and_size():
    if not dist.is_initialized():
        return 0, 1
    return dist.get_rank(), dist.get_world_size()


@dataclass
class Context:
    rank: int
    world_size: int

    @classmethod
    def current(cls):
        return cls(rank=dist.get_rank(), world_size=dist.get_world_size())


def field_of_a_dataclass_bad(x):
    context = Context.current()
    if context.rank == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def other_field_of_a_dataclass_ok(x):
    context = Context.current()
    if context.world_size > 1:
        dist.all_reduce(x)


class Trainer:
    def __init__(self, x):
        self.x = x
        self.setup()

    def setup(self):
        self.rank = dist.get_rank()
        self.is_main = self.rank == 0

    def attribute_set_in_another_method_bad(self):
        if self.is_main:
            dist.all_reduce(self.x)  # expect: [rank-guarded-collective] "`all_reduce`"

    def attribute_with_a_number_bad(self):
        if self.rank == 0:
            self.synchronise()  # expect: [rank-guarded-collective] "`all_reduce`"

    def synchronise(self):
        dist.all_reduce(self.x)

    def all_ranks_ok(self):
        self.synchronise()
        if self.is_main:
            print(self.x)


class Logger:
    def __init__(self):
        self._rank = dist.get_rank()

    @property
    def active(self):
        return self._rank == 0

    def property_bad(self, x):
        if self.active:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"

    def property_around_local_work_ok(self, x):
        dist.all_reduce(x)
        if self.active:
            print(x)


RANK_TO_ROLE = {0: "writer"}


def table_lookup_bad(x):
    role = RANK_TO_ROLE.get(dist.get_rank(), "reader")
    if role == "writer":
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def broadcast_result_ok(x):
    box = [dist.get_rank()]
    dist.broadcast_object_list(box, src=0)
    if box[0] == 0:
        dist.all_reduce(x)
