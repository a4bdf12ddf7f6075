"""Both sides communicate, but not alike."""
import cProfile

import torch.distributed as dist


def swapped_bad(x, y):
    if dist.get_rank() == 0:
        dist.broadcast(x, src=0)  # expect: [divergent-collective-order] "`broadcast`"
        dist.all_reduce(y)
    else:
        dist.all_reduce(y)
        dist.broadcast(x, src=0)


def other_operation_bad(x):
    if dist.get_rank() == 0:
        dist.broadcast(x, src=0)  # expect: [divergent-collective-order] "`broadcast`"
    else:
        dist.all_reduce(x)


def object_against_tensor_bad(x):
    if dist.get_rank() == 0:
        dist.broadcast_object_list([x], src=0)  # expect: [divergent-collective-order] "`broadcast_object_list`"
    else:
        dist.broadcast(x, src=0)


def one_more_on_one_side_bad(x, y):
    if dist.get_rank() == 0:
        dist.all_reduce(x)
        dist.all_reduce(y)  # expect: [divergent-collective-order] "`all_reduce`"
    else:
        dist.all_reduce(x)


def helper_against_helper_bad(x):
    if dist.get_rank() == 0:
        write(x)  # expect: [divergent-collective-order]
    else:
        wait_for_it(x)


def write(x):
    dist.broadcast(x, src=0)
    dist.barrier()


def wait_for_it(x):
    dist.barrier()
    dist.broadcast(x, src=0)


def other_reduction_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x, op=dist.ReduceOp.SUM)  # expect: [divergent-collective-order] "reduces by SUM on one rank and by MAX"
    else:
        dist.all_reduce(x, op=dist.ReduceOp.MAX)


def chosen_reduction_bad(x):
    op = dist.ReduceOp.MIN if dist.get_rank() == 0 else dist.ReduceOp.MAX
    dist.all_reduce(x, op=op)  # expect: [divergent-collective-order] "reduces by MIN on one rank and by MAX"


def reduction_left_out_on_one_side_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [divergent-collective-order] "reduces by SUM on one rank and by AVG"
    else:
        dist.all_reduce(x, dist.ReduceOp.AVG)


def sum_written_out_on_one_side_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)
    else:
        dist.all_reduce(x, op=dist.ReduceOp.SUM)


def configured_reduction_ok(x, average):
    dist.all_reduce(x, op=dist.ReduceOp.AVG if average else dist.ReduceOp.SUM)


def other_group_bad(x, mesh):
    if mesh.get_local_rank("dp") == 0:
        dist.all_reduce(x, group=mesh.get_group("dp"))
    else:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def same_sequence_ok(x, y):
    if dist.get_rank() == 0:
        dist.broadcast(x, src=0)
        dist.barrier()
    else:
        dist.broadcast(y, src=0)
        dist.barrier()


def same_sequence_through_helpers_ok(x):
    if dist.get_rank() == 0:
        fill(x)
    else:
        receive(x)


def fill(x):
    x.fill_(1)
    dist.broadcast(x, src=0)
    dist.barrier()


def receive(x):
    dist.broadcast(x, src=0)
    print("received")
    dist.barrier()


def asynchronous_against_synchronous_ok(x):
    if dist.get_rank() == 0:
        work = dist.all_reduce(x, async_op=True)
        work.wait()
    else:
        dist.all_reduce(x)


def split_over_guards_ok(x, y):
    rank = dist.get_rank()
    if rank == 0:
        dist.broadcast(x, src=0)
    if rank != 0:
        dist.broadcast(y, src=0)
    dist.barrier()


def uniform_choice_ok(x, fast):
    if fast:
        dist.all_reduce(x)
    else:
        dist.broadcast(x, src=0)


def none_is_skipped_on_both_sides_ok(x, extra):
    if dist.get_rank() == 0:
        send_all([x, extra])
    else:
        send_all([x, extra])


def send_all(tensors):
    for tensor in tensors:
        if tensor is not None:
            dist.broadcast(tensor, src=0)


def same_loop_on_both_sides_ok(tensors, buffers):
    if dist.get_rank() == 0:
        for _ in range(4):
            dist.broadcast(tensors, src=0)
    else:
        for _ in range(4):
            dist.broadcast(buffers, src=0)


def nested_uniform_condition_ok(x, y, compress):
    if dist.get_rank() == 0:
        if compress:
            dist.broadcast(y, src=0)
        dist.broadcast(x, src=0)
    else:
        if compress:
            dist.broadcast(y, src=0)
        dist.broadcast(x, src=0)


def nested_uniform_condition_bad(x, y, compress):
    if dist.get_rank() == 0:
        if compress:
            dist.broadcast(y, src=0)
        dist.broadcast(x, src=0)  # expect: [divergent-collective-order] "`broadcast`"
    else:
        dist.broadcast(x, src=0)
        if compress:
            dist.all_reduce(y)


def one_of_several_conditions_bad(x, path, prepared):
    """The other arm is reached from the first condition, and from the others behind it."""
    if dist.get_rank() == 0 and not (prepared and x.is_there(path)):
        dist.broadcast(x, src=0)  # expect: [divergent-collective-order] "`broadcast`"
    else:
        dist.barrier()


def profile_of_one_ok(x, profiled):
    """What is run as text communicates, too."""

    def train():
        dist.all_reduce(x)

    if not profiled or dist.get_rank() != 0:
        train()
    else:
        cProfile.runctx("train()", None, locals())
    dist.barrier()  # silent: [hands-communication-on]


def profile_of_something_else_bad(x, profiled):
    def train():
        dist.all_reduce(x)

    if not profiled or dist.get_rank() != 0:
        train()
    else:
        cProfile.runctx("x.sum()", None, locals())
    dist.barrier()  # expect: [divergent-collective-order] "`barrier`"
