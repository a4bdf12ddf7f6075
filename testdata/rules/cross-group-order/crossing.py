"""Two groups that share ranks, in opposite orders."""
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

MESH = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))


def axis_against_world_bad(x, y):
    tp = MESH.get_group("tp")
    if MESH.get_local_rank("tp") == 0:
        dist.all_reduce(x)  # expect: [cross-group-order] "`all_reduce`"
        dist.all_gather_object([], y, group=tp)
    else:
        dist.all_gather_object([], y, group=tp)
        dist.all_reduce(x)


def through_helpers_bad(x, y):
    if dist.get_rank() == 0:
        outer_first(x, y)  # expect: [cross-group-order] "`all_reduce` on `world`"
    else:
        inner_first(x, y)


def outer_first(x, y):
    dist.all_reduce(x)
    dist.all_reduce(y, group=MESH.get_group("tp"))


def inner_first(x, y):
    dist.all_reduce(y, group=MESH.get_group("tp"))
    dist.all_reduce(x)


def asynchronous_bad(x, y):
    if MESH.get_local_rank("dp") == 0:
        first = dist.all_reduce(x, async_op=True)  # expect: [cross-group-order] "`all_reduce`"
        second = dist.all_reduce(y, group=MESH.get_group("dp"), async_op=True)
    else:
        first = dist.all_reduce(y, group=MESH.get_group("dp"), async_op=True)
        second = dist.all_reduce(x, async_op=True)
    first.wait()
    second.wait()


def dimensions_share_one_rank_ok(x, y):
    dp, tp = MESH.get_group("dp"), MESH.get_group("tp")
    if dist.get_rank() % 2 == 0:
        dist.all_reduce(x, group=dp)
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(y, group=tp)
        dist.all_reduce(x, group=dp)


def alike_for_all_they_share_ok(x, y):
    tp = MESH.get_group("tp")
    if MESH.get_local_rank("dp") == 0:
        dist.barrier(group=tp)
        dist.all_reduce(x, group=tp)
    else:
        dist.all_reduce(x, group=tp)
        dist.barrier(group=tp)
    dist.all_reduce(y)


def one_order_ok(x, y):
    dist.all_reduce(x)
    dist.all_reduce(y, group=MESH.get_group("tp"))


def same_order_in_both_arms_ok(x, y, z):
    tp = MESH.get_group("tp")
    if dist.get_rank() == 0:
        dist.all_reduce(x)
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(z)
        dist.all_reduce(y, group=tp)


def configured_order_ok(x, y, world_first):
    tp = MESH.get_group("tp")
    if world_first:
        dist.all_reduce(x)
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(y, group=tp)
        dist.all_reduce(x)


def two_unknown_groups_ok(x, y, inner, outer):
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=outer)
        dist.all_reduce(y, group=inner)
    else:
        dist.all_reduce(y, group=inner)
        dist.all_reduce(x, group=outer)


def end_on_the_other_side_bad(x):  # the others end their communication, and rank 0 waits for them
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=MESH.get_group("tp"))  # expect: [rank-guarded-collective] "issued by rank 0"
    dist.barrier()
    dist.destroy_process_group()


def one_group_on_each_side_ok(x, y):
    tp = MESH.get_group("tp")
    if MESH.get_local_rank("tp") == 0:
        dist.broadcast(x, src=0, group=tp)
    else:
        dist.broadcast(y, src=0, group=tp)
    dist.all_reduce(x)


def local_work_in_another_order_ok(x, y, prepare):
    tp = MESH.get_group("tp")
    if dist.get_rank() == 0:
        prepare(x)
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(y, group=tp)
        prepare(x)
