"""Asynchronous operations, their handles and their buffers."""
import torch
import torch.distributed as dist


def dropped_bad(x):
    dist.all_reduce(x, async_op=True)  # expect: [unwaited-work] "`all_reduce`"
    return x


def dropped_in_a_loop_bad(tensors):
    for tensor in tensors:
        dist.broadcast(tensor, src=0, async_op=True)  # expect: [unwaited-work] "`broadcast`"


def never_waited_bad(x):
    work = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work] "`all_reduce`"
    print("started")
    return x


def read_before_wait_bad(x, y):
    work = dist.all_reduce(x, async_op=True)
    y += x  # expect: [unwaited-work] "`all_reduce`"
    work.wait()
    return y


def written_before_wait_bad(x):
    work = dist.all_reduce(x, async_op=True)
    x.zero_()  # expect: [unwaited-work] "`all_reduce`"
    work.wait()
    return x


def returned_before_wait_on_one_path_bad(x, quick):
    work = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work] "`all_reduce`"
    if quick:
        return x
    work.wait()
    return x


def overwritten_handle_bad(x, y):
    work = dist.all_reduce(x, async_op=True)  # expect: [unwaited-work] "`all_reduce`"
    work = dist.all_reduce(y, async_op=True)
    work.wait()


def waited_ok(x):
    work = dist.all_reduce(x, async_op=True)
    work.wait()
    return x


def overlapped_ok(x, y):
    work = dist.all_reduce(x, async_op=True)
    y = y * 2
    work.wait()
    return x + y


def chained_ok(x):
    dist.all_reduce(x, async_op=True).wait()
    return x


def synchronous_ok(x):
    dist.all_reduce(x)
    dist.all_reduce(x, async_op=False)
    return x


def returned_handle_ok(x):
    return dist.all_reduce(x, async_op=True)


def stored_handle_ok(self, x):
    self.work = dist.all_reduce(x, async_op=True)


def collected_handles_ok(tensors):
    works = []
    for tensor in tensors:
        works.append(dist.all_reduce(tensor, async_op=True))
    for work in works:
        work.wait()


def comprehension_ok(tensors):
    works = [dist.all_reduce(tensor, async_op=True) for tensor in tensors]
    for work in works:
        work.wait()


def passed_on_ok(x, wait_for):
    work = dist.all_reduce(x, async_op=True)
    wait_for(work)


def chosen_by_parameter_ok(x, async_op=False):
    work = dist.all_reduce(x, async_op=async_op)
    if async_op:
        work.wait()


def shape_before_wait_ok(x):
    work = dist.all_reduce(x, async_op=True)
    rows = x.shape[0]
    work.wait()
    return x / rows


def captured_by_a_closure_ok(x):
    work = dist.all_reduce(x, async_op=True)

    def finish():
        work.wait()
        return x

    return finish


class ReducedInHooks:
    def __init__(self, parameters, group):
        self.parameters = parameters
        self.group = group

    def hook(self, parameter):
        def reduce_ok(*unused):
            dist.all_reduce(parameter.grad, group=self.group, async_op=True)

        return reduce_ok

    def finish(self):
        torch.cuda.synchronize()


def start_reduction(x):
    dist.all_reduce(x, async_op=True)


def reduce_and_synchronise_ok(tensors):
    for x in tensors:
        start_reduction(x)
    torch.cuda.synchronize()


def met_behind_ok(pieces):
    # The barrier is behind them on the same group.
    for i, piece in enumerate(pieces):
        dist.broadcast(piece, src=i, async_op=True)
    dist.barrier()
    return pieces


def met_on_one_way_bad(pieces, safe):
    for i, piece in enumerate(pieces):
        dist.broadcast(piece, src=i, async_op=True)  # expect: [unwaited-work] "`broadcast`"
    if safe:
        dist.barrier()
    return pieces


def kept_by_somebody_ok(x, pending=None):
    work = dist.all_reduce(x, async_op=True)
    if pending is not None:
        pending.append(work)


def met_in_another_group_bad(x, group):
    dist.all_reduce(x, async_op=True)  # expect: [unwaited-work] "`all_reduce`"
    dist.barrier(group=group)


def touched_before_they_meet_bad(x, y):
    work = dist.all_reduce(x, async_op=True)
    y += x  # expect: [unwaited-work] "`all_reduce`"
    work.wait()
    dist.barrier()


def noted_in_rounds_ok(self, x, queue):
    work = dist.all_reduce(x, async_op=True)
    for i in queue:
        self.works[i] = work


def begun_before_another_ok(ids, rest, group):
    # What a group has begun ends in that order.
    dist.broadcast(ids, src=0, group=group, async_op=True)
    work = rest.broadcast(src=0, group=group, async_op=True)
    work.wait()


def begun_before_another_group_bad(ids, rest, group, other):
    dist.broadcast(ids, src=0, group=group, async_op=True)  # expect: [unwaited-work] "`broadcast`"
    work = rest.broadcast(src=0, group=other, async_op=True)
    work.wait()
