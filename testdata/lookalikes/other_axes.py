"""Guards along another axis than the group's."""
import torch
import torch.distributed as dist
from megatron.core import parallel_state as mpu
from torch.distributed.device_mesh import init_device_mesh


def tensor_rank_around_data_parallel(x):
    if mpu.get_tensor_model_parallel_rank() == 0:
        dist.all_reduce(x, group=mpu.get_data_parallel_group())


def last_stage_around_data_parallel(loss):
    if mpu.is_pipeline_last_stage():
        dist.all_reduce(loss, group=mpu.get_data_parallel_group())
    return loss


def first_or_last_stage_around_tensor_parallel(x, out):
    if mpu.is_pipeline_first_stage() or mpu.is_pipeline_last_stage():
        dist.all_gather_into_tensor(out, x, group=mpu.get_tensor_model_parallel_group())


def stage_number_around_data_parallel(x):
    stage = mpu.get_pipeline_model_parallel_rank()
    if stage != mpu.get_pipeline_model_parallel_world_size() - 1:
        return None
    dist.all_reduce(x, group=mpu.get_data_parallel_group())
    return x


def losses_averaged_on_the_last_stage(losses):
    averaged = []
    if mpu.is_pipeline_last_stage():
        for loss in losses:
            dist.all_reduce(loss, group=mpu.get_data_parallel_group())
            averaged.append(loss / mpu.get_data_parallel_world_size())
    return averaged


def mesh_coordinate(x):
    mesh = init_device_mesh("cuda", (2, 2, 2), mesh_dim_names=("pp", "dp", "tp"))
    if mesh.get_local_rank("pp") == 0 and mesh["tp"].get_local_rank() == 0:
        dist.all_reduce(x, group=mesh["dp"].get_group())


class Stage:
    def __init__(self, mesh):
        self.is_last = mesh.get_local_rank("pp") == mesh["pp"].size() - 1
        self.dp_group = mesh.get_group("dp")

    def step(self, loss):
        if self.is_last:
            dist.all_reduce(loss, group=self.dp_group)


def broadcast_from_the_last_stage(x):
    if not mpu.is_pipeline_last_stage():
        x = torch.empty_like(x)
    dist.broadcast(x, src=mpu.get_pipeline_model_parallel_last_rank(), group=mpu.get_pipeline_model_parallel_group())
