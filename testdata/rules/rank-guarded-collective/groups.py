"""The guard and the group: on the same axis it is a bug, on another it is not."""
import torch.distributed as dist
from megatron.core import parallel_state
from torch.distributed.device_mesh import init_device_mesh


def mesh_same_axis_bad(x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    if mesh.get_local_rank("tp") == 0:
        dist.all_reduce(x, group=mesh.get_group("tp"))  # expect: [rank-guarded-collective] "`all_reduce` on `tp`"


def mesh_slice_bad(x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    tp_mesh = mesh["tp"]
    if tp_mesh.get_local_rank() == 0:
        dist.all_reduce(x, group=tp_mesh.get_group())  # expect: [rank-guarded-collective] "`all_reduce` on `tp`"


def megatron_same_axis_bad(x):
    if parallel_state.get_tensor_model_parallel_rank() == 0:
        group = parallel_state.get_tensor_model_parallel_group()
        dist.all_reduce(x, group=group)  # expect: [rank-guarded-collective] "`all_reduce` on `tp`"


def axis_guard_around_the_world_bad(x):
    if parallel_state.get_data_parallel_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def world_guard_around_an_axis_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=parallel_state.get_data_parallel_group())  # expect: [rank-guarded-collective] "`all_reduce` on `dp`"


def last_stage_around_the_pipeline_bad(loss):
    if parallel_state.is_pipeline_last_stage():
        group = parallel_state.get_pipeline_model_parallel_group()
        dist.all_reduce(loss, group=group)  # expect: [rank-guarded-collective] "`all_reduce` on `pp`"


def group_as_parameter_bad(x, group):
    if dist.get_rank(group) == 0:
        dist.all_reduce(x, group=group)  # expect: [rank-guarded-collective] "`all_reduce`"


def group_in_an_attribute_bad(trainer, x):
    if dist.get_rank() == 0:
        dist.all_reduce(x, group=trainer.group)  # expect: [rank-guarded-collective] "`all_reduce`"


def mesh_other_axis_ok(x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    if mesh.get_local_rank("tp") == 0:
        dist.all_reduce(x, group=mesh.get_group("dp"))


def mesh_slices_of_other_axes_ok(x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    dp_mesh, tp_mesh = mesh["dp"], mesh["tp"]
    if tp_mesh.get_local_rank() == 0:
        dist.all_reduce(x, group=dp_mesh.get_group())


def megatron_other_axis_ok(x):
    if parallel_state.get_tensor_model_parallel_rank() == 0:
        dist.all_reduce(x, group=parallel_state.get_data_parallel_group())


def last_stage_around_tensor_parallel_ok(logits, out):
    if parallel_state.is_pipeline_last_stage():
        dist.all_gather_into_tensor(out, logits, group=parallel_state.get_tensor_model_parallel_group())


def both_axes_in_the_guard_ok(loss):
    first_tp = parallel_state.get_tensor_model_parallel_rank() == 0
    if parallel_state.is_pipeline_last_stage() and first_tp:
        dist.all_reduce(loss, group=parallel_state.get_data_parallel_group())


def nested_guards_of_other_axes_ok(loss):
    if parallel_state.is_pipeline_last_stage():
        if parallel_state.get_tensor_model_parallel_rank() == 0:
            dist.all_reduce(loss, group=parallel_state.get_data_parallel_group())


def one_of_two_axes_bad(loss):
    if parallel_state.is_pipeline_last_stage():
        if parallel_state.get_data_parallel_rank() == 0:
            dist.all_reduce(loss, group=parallel_state.get_data_parallel_group())  # expect: [rank-guarded-collective] "`all_reduce` on `dp`"
