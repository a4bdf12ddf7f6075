# What both ranks took for granted on the way can not hold together, whatever the arguments are.
import contextlib

import torch.distributed as dist

found = {}


def owner_or_other_ok(comm, vec, owners, key):
    owner = owners[key]
    if owner == comm.rank:
        comm.bcast(vec, root=owner)
    elif owner is not None:
        comm.bcast(None, root=owner)


def member_of_one_list_ok(mode):
    if mode in ("train", "both"):
        return
    if dist.get_rank() == 0 and mode == "train":
        dist.barrier()


def member_of_one_list_bad(mode):
    if mode in ("train", "both"):
        return
    if dist.get_rank() == 0 and mode == "test":
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def orders_go_round_ok(first, last, limit):
    if first < last:
        if last < limit:
            if dist.get_rank() == 0 and first >= limit:
                dist.barrier()


def orders_go_on_bad(first, last, limit):
    if first < last:
        if last < limit:
            if dist.get_rank() == 0 and first < limit:
                dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def equal_to_two_ok(stages, parts):
    if stages == parts and parts == 3:
        if dist.get_rank() == 0 and stages == 4:
            dist.barrier()


def attribute_of_none_ok(config):
    if config is None:
        if dist.get_rank() == 0 and config.sync:
            dist.barrier()


def attribute_of_some_bad(config):
    if config is not None:
        if dist.get_rank() == 0 and config.sync:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def none_is_no_instance_ok(config):
    if isinstance(config, dict):
        if dist.get_rank() == 0 and config is None:
            dist.barrier()


def none_or_false_ok(config):
    if dist.get_rank() == 0:
        if config is not None:
            dist.barrier()
    elif config:
        dist.barrier()
    elif config is not None and not config:
        dist.barrier()


def elements_of_nothing_ok(items):
    if len(items) > 0:
        if dist.get_rank() == 0 and not items:
            dist.barrier()


def elements_bad(items):
    if len(items) > 0:
        if dist.get_rank() == 0 and items:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def refused_up_front_ok(args):
    if args.sharded and not args.distributed:
        raise ValueError("sharding needs a job")
    if dist.get_rank() == 0:
        if args.sharded:
            if not args.distributed:
                dist.barrier()


def asserted_ok(args):
    assert not (args.zero and args.sharded)
    if args.zero:
        if dist.get_rank() == 0 and args.sharded:
            dist.barrier()


def asserted_bad(args):
    assert args.zero or args.sharded
    if args.zero:
        if dist.get_rank() == 0 and args.sharded:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def buffer_of(group):
    kept = found.get(group)
    if kept is not None:
        return kept
    dist.barrier(group)
    found[group] = 1
    return 1


def send(group):
    buffer_of(group)
    print("send")


def receive(group):
    buffer_of(group)
    print("receive")


def one_key_on_both_sides_ok(group):
    if dist.get_rank() == 0:
        send(group)
    else:
        receive(group)
    dist.all_reduce(1, group=group)


def asserted_list_ok(args):
    assert args.mode in ("train", "test")
    if dist.get_rank() == 0:
        if args.mode == "both":
            dist.barrier()


def asserted_further_down_bad(args):
    if dist.get_rank() == 0:
        if args.mode == "both":
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
    assert args.mode in ("train", "test")


def group_of_one_ok(x):
    alone = dist.new_group(ranks=[0])
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=alone)


def asserted_rank_ok(x):
    assert dist.get_rank() == -1
    if dist.get_rank() == 0:
        dist.all_reduce(x)


def asserted_number_of_ranks_bad(x):
    assert dist.get_world_size() == 2
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


LAST = None


def asserted_before_it_is_made_bad(x):
    global LAST
    assert LAST is None
    LAST = dist.new_group()
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


RANK = None


def asserted_rank_of_module_bad(x):
    global RANK
    assert RANK is None
    RANK = dist.get_rank()
    if RANK == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


class Ranked:
    def __init__(self):
        self.rank = -1

    def start_bad(self, x):
        assert self.rank == -1
        self.rank = dist.get_rank()
        if self.rank == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def asserted_and_caught_bad(x):
    try:
        assert dist.get_rank() == 1
    except AssertionError:
        pass
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def asserted_and_suppressed_bad(x):
    with contextlib.suppress(AssertionError):
        assert dist.get_rank() == 1
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
