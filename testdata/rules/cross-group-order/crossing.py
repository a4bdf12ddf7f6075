"""Two groups that share ranks, in opposite orders."""
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

MESH = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))


def world_parity_bad(x, y):
    dp, tp = MESH.get_group("dp"), MESH.get_group("tp")
    if dist.get_rank() % 2 == 0:
        dist.all_reduce(x, group=dp)  # expect: [cross-group-order] "`all_reduce`"
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(y, group=tp)
        dist.all_reduce(x, group=dp)


def axis_against_world_bad(x, y):
    tp = MESH.get_group("tp")
    if MESH.get_local_rank("tp") == 0:
        dist.all_reduce(x)  # expect: [cross-group-order] "`all_reduce`"
        dist.broadcast(y, src=0, group=tp)
    else:
        dist.broadcast(y, src=0, group=tp)
        dist.all_reduce(x)


def through_helpers_bad(x, y):
    if dist.get_rank() == 0:
        outer_first(x, y)  # expect: [cross-group-order] "`all_reduce`"
    else:
        inner_first(x, y)


def outer_first(x, y):
    dist.all_reduce(x, group=MESH.get_group("dp"))
    dist.all_reduce(y, group=MESH.get_group("tp"))


def inner_first(x, y):
    dist.all_reduce(y, group=MESH.get_group("tp"))
    dist.all_reduce(x, group=MESH.get_group("dp"))


def one_order_ok(x, y):
    dist.all_reduce(x, group=MESH.get_group("dp"))
    dist.all_reduce(y, group=MESH.get_group("tp"))


def same_order_in_both_arms_ok(x, y, z):
    dp, tp = MESH.get_group("dp"), MESH.get_group("tp")
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=dp)
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(z, group=dp)
        dist.all_reduce(y, group=tp)


def configured_order_ok(x, y, dp_first):
    dp, tp = MESH.get_group("dp"), MESH.get_group("tp")
    if dp_first:
        dist.all_reduce(x, group=dp)
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(y, group=tp)
        dist.all_reduce(x, group=dp)


def other_order_in_another_function_ok(x, y):
    dist.all_reduce(y, group=MESH.get_group("tp"))
    dist.all_reduce(x, group=MESH.get_group("dp"))


def one_group_on_each_side_ok(x, y):
    tp = MESH.get_group("tp")
    if MESH.get_local_rank("tp") == 0:
        dist.broadcast(x, src=0, group=tp)
    else:
        dist.broadcast(y, src=0, group=tp)
    dist.all_reduce(x, group=MESH.get_group("dp"))


def local_work_in_another_order_ok(x, y, prepare):
    tp = MESH.get_group("tp")
    if dist.get_rank() == 0:
        prepare(x)
        dist.all_reduce(y, group=tp)
    else:
        dist.all_reduce(y, group=tp)
        prepare(x)
