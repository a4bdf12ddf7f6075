"""Generators that communicate, and who resumes them."""
import collections

import torch.distributed as dist


def broadcast_each(tensors):
    for tensor in tensors:
        dist.broadcast(tensor, src=0)
        yield tensor


def read_each(tensors):
    for tensor in tensors:
        yield tensor


def one_rank_iterates_bad(tensors, write):
    if dist.get_rank() == 0:
        for tensor in broadcast_each(tensors):  # expect: [generator-collective] "`broadcast`"
            write(tensor)


def next_on_one_rank_bad(tensors):
    stream = broadcast_each(tensors)
    if dist.get_rank() == 0:
        return next(stream)  # expect: [generator-collective] "`broadcast`"
    return None


def list_on_one_rank_bad(tensors):
    if dist.get_rank() == 0:
        return list(broadcast_each(tensors))  # expect: [generator-collective] "`broadcast`"
    return []


def one_rank_stops_early_bad(tensors, wanted):
    for tensor in broadcast_each(tensors):  # expect: [generator-collective] "`broadcast`"
        if dist.get_rank() == 0 and tensor is wanted:
            break


def one_rank_raises_ok(tensors, wanted):
    for tensor in broadcast_each(tensors):
        if dist.get_rank() == 0 and tensor is wanted:
            missing = [other for other in tensors if other is wanted]
            raise RuntimeError(f"{missing}")


def comprehension_on_one_rank_bad(tensors):
    if dist.get_rank() == 0:
        return [tensor.norm() for tensor in broadcast_each(tensors)]  # expect: [generator-collective] "`broadcast`"
    return []


def chained_generator_bad(tensors, write):
    if dist.get_rank() == 0:
        for tensor in named(tensors):  # expect: [generator-collective] "`broadcast`"
            write(tensor)


def named(tensors):
    yield from broadcast_each(tensors)


def all_ranks_iterate_ok(tensors, write):
    for tensor in broadcast_each(tensors):
        if dist.get_rank() == 0:
            write(tensor)


def both_arms_drain_ok(tensors, write):
    if dist.get_rank() == 0:
        for tensor in broadcast_each(tensors):
            write(tensor)
    else:
        for _ in broadcast_each(tensors):
            pass


def drained_in_other_ways_ok(tensors):
    if dist.get_rank() == 0:
        kept = list(broadcast_each(tensors))
    else:
        collections.deque(broadcast_each(tensors), maxlen=0)
        kept = []
    return kept


def created_and_never_resumed_fp(tensors):  # a generator that is called counts as gone through: nobody resumes this one
    if dist.get_rank() == 0:
        stream = broadcast_each(tensors)  # expect: [generator-collective] "`broadcast`"
        print(stream)


def one_rank_returns_from_the_loop_bad(tensors):
    for index, tensor in enumerate(broadcast_each(tensors)):  # expect: [generator-collective] "`broadcast`"
        if index > dist.get_rank():
            return tensor


def loss_ends_the_loop_bad(tensors, limit):
    import time

    for tensor in broadcast_each(tensors):  # expect: [generator-collective] "`broadcast`"
        if time.monotonic() > limit:
            break


def met_before_the_first(tensors):
    dist.barrier()
    for tensor in tensors:
        yield tensor


def left_early_but_silent_ok(tensors):
    for tensor in met_before_the_first(tensors):
        if dist.get_rank() == 0:
            break


def failure_on_one_rank_ok(tensors):
    for tensor in broadcast_each(tensors):
        if dist.get_rank() == 0 and tensor is None:
            raise ValueError("no tensor")


def all_stop_early_ok(tensors, limit):
    for index, tensor in enumerate(broadcast_each(tensors)):
        if index == limit:
            break


def local_generator_ok(tensors, write):
    if dist.get_rank() == 0:
        for tensor in read_each(tensors):
            write(tensor)
    dist.barrier()


def next_on_all_ranks_ok(tensors):
    stream = broadcast_each(tensors)
    first = next(stream)
    if dist.get_rank() == 0:
        print(first)


def passed_to_the_loader_ok(tensors, model):
    model.load_weights(broadcast_each(tensors))


def in_two_stages(tensor):
    yield "begins"
    dist.all_reduce(tensor)
    yield "done"


def left_between_two_stages_bad(tensor, log):
    for stage in in_two_stages(tensor):  # expect: [generator-collective] "`all_reduce`"
        log(stage)
        if dist.get_rank() == 0:
            break


def in_one_stage(tensor):
    dist.all_reduce(tensor)
    yield "done"


def left_behind_the_last_ok(tensor, log):
    for stage in in_one_stage(tensor):
        log(stage)
        if dist.get_rank() == 0:
            break


def within_bad(tensor, log):
    def stages():
        yield "begins"
        dist.all_reduce(tensor)
        yield "done"

    for stage in stages():  # expect: [generator-collective] "`all_reduce`"
        if dist.get_rank() != 0:
            break
        log(stage)


def one_more_on_one_rank_bad(tensor, log):
    stages = in_two_stages(tensor)
    log(next(stages))
    if dist.get_rank() == 0:
        log(next(stages))  # expect: [generator-collective] "`all_reduce`"


def one_more_on_all_ok(tensor, log):
    stages = in_two_stages(tensor)
    log(next(stages))
    if dist.get_rank() == 0:
        log(next(stages))
    else:
        next(stages)
