"""Leaving a function, a round or the program on some ranks only."""
import os
import sys

import torch
import torch.distributed as dist


def early_return_bad(x):
    if dist.get_rank() != 0:
        return  # expect: [early-exit-before-collective] "`all_reduce`"
    dist.all_reduce(x)
    print(x)


def return_inside_the_guard_bad(folder):
    if dist.get_rank() == 0:
        if not folder:
            return  # expect: [early-exit-before-collective] "`barrier`"
        os.makedirs(folder)
    dist.barrier()


def return_value_bad(x, cached):
    if dist.get_rank() == 0 and cached is not None:
        return cached  # expect: [early-exit-before-collective] "`all_reduce`"
    dist.all_reduce(x)
    return x


def continue_bad(batches):
    for index, batch in enumerate(batches):
        if index == dist.get_rank():
            continue  # expect: [early-exit-before-collective] "`all_reduce`"
        dist.all_reduce(batch)


def break_bad(batches):
    for index, batch in enumerate(batches):
        if index > dist.get_rank():
            break  # expect: [early-exit-before-collective] "`all_reduce`"
        dist.all_reduce(batch)


def raise_fn(x):  # not found: a rank that raises on its own number is taken for a check of its input
    if dist.get_rank() != 0:
        raise RuntimeError("only rank 0 is meant to get here")
    dist.all_reduce(x)


def exit_bad(x):
    if dist.get_rank() != 0:
        sys.exit(0)  # expect: [early-exit-before-collective] "`barrier`"
    print(x)
    dist.barrier()


def return_before_a_helper_bad(x):
    if dist.get_rank() != 0:
        return None  # expect: [early-exit-before-collective] "`all_reduce`"
    return mean(x)


def mean(x):
    dist.all_reduce(x)
    return x / dist.get_world_size()


def collective_in_the_caller_ok(x):
    log(x)
    dist.barrier()


def log(x):
    if dist.get_rank() != 0:
        return
    print(x)


def single_process_ok(x):
    if dist.get_world_size() == 1:
        return x
    dist.all_reduce(x)
    return x


def not_initialised_ok(x):
    if not dist.is_available() or not dist.is_initialized():
        return x
    dist.all_reduce(x)
    return x


def configuration_ok(x, config):
    if not config.synchronise:
        return x
    dist.all_reduce(x)
    return x


def agreed_exit_ok(x, stop):
    flag = torch.tensor([int(stop and dist.get_rank() == 0)])
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)
    if flag.item():
        return None
    dist.all_reduce(x)
    return x


def matching_call_before_leaving_ok(x):
    if dist.get_rank() != 0:
        dist.barrier()
        return None
    print(x)
    dist.barrier()
    return x


def last_statement_ok(x):
    dist.all_reduce(x)
    if dist.get_rank() != 0:
        return None
    return x.item()


def continue_after_the_collective_ok(batches):
    for batch in batches:
        dist.all_reduce(batch)
        if dist.get_rank() != 0:
            continue
        print(batch)


def raise_on_all_ranks_ok(x, world_size):
    if dist.get_world_size() != world_size:
        raise ValueError("wrong world size")
    dist.all_reduce(x)


def item_of_none(x, group):
    if x is None:
        return
    dist.broadcast(x, src=0, group=group)


def sent_or_room_for_it_ok(batch):
    if dist.get_rank() == 0:
        x = positions_of(batch).cuda()
    else:
        x = torch.empty((2, 8), dtype=torch.int64)
    item_of_none(x, None)


def only_some_join_ok(size):
    if int(os.environ["RANK"]) % size != 0:
        sys.exit(0)
    dist.init_process_group("nccl", world_size=size)
