"""Meshes without a model-parallel dimension: each rank has data of its own."""
from torch.distributed.device_mesh import init_device_mesh
from torch.utils.data import DistributedSampler


def start_ok(dataset):
    mesh = init_device_mesh("cuda", (4, 2), mesh_dim_names=("replicate", "shard"))
    return mesh, DistributedSampler(dataset, shuffle=True)
