# A mesh that nothing but its name tells of.
import torch.distributed as dist


def own_dimension_bad(x, mesh):
    if mesh["tp"].get_local_rank() == 0:
        dist.all_reduce(x, group=mesh["tp"].get_group())  # expect: [rank-guarded-collective] "`all_reduce` on `tp`"


def whole_world_bad(device_mesh):
    if device_mesh["tp"].get_local_rank() == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world`"


def one_dimension_bad(x, dp_mesh):
    if dp_mesh.get_local_rank() == 0:
        dist.all_reduce(x, group=dp_mesh.get_group())  # expect: [rank-guarded-collective] "`all_reduce` on `dp`"


def other_dimension_ok(x, mesh):
    if mesh["tp"].get_local_rank() == 0:
        dist.all_reduce(x, group=mesh["dp"].get_group())


def triangles_ok(x, mesh):
    if mesh.size() == 0:
        dist.all_reduce(x)
