"""Guards that look as if they depended on the rank and are uniform in the group."""
import torch.distributed as dist
from megatron.core import parallel_state
from torch.distributed.device_mesh import init_device_mesh


def other_mesh_axis_bad(x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    if mesh.get_local_rank("tp") == 0:  # expect: [redundant-guard] "`all_reduce`"
        dist.all_reduce(x, group=mesh.get_group("dp"))


def last_stage_bad(loss):
    if parallel_state.is_pipeline_last_stage():  # expect: [redundant-guard] "`all_reduce`"
        dist.all_reduce(loss, group=parallel_state.get_data_parallel_group())


def early_return_bad(loss):
    if not parallel_state.is_pipeline_last_stage():  # expect: [redundant-guard] "`all_reduce`"
        return
    dist.all_reduce(loss, group=parallel_state.get_data_parallel_group())


def guard_behind_the_collective_ok(x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    dist.all_reduce(x, group=mesh.get_group("dp"))
    if mesh.get_local_rank("tp") == 0:
        print(x)


def configuration_ok(x, config):
    if config.synchronise:
        dist.all_reduce(x)


def no_communication_ok(x):
    if parallel_state.is_pipeline_last_stage():
        print(x)


def world_size_ok(x):
    if dist.get_world_size() > 1:
        dist.all_reduce(x)


def both_arms_ok(x):
    if parallel_state.is_pipeline_last_stage():
        print("last")
    else:
        print("not last")
    dist.all_reduce(x, group=parallel_state.get_data_parallel_group())
