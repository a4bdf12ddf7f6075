"""Samples that are dealt out by the global rank beside a mesh with a model-parallel dimension."""
import torch.distributed as dist
from datasets.distributed import split_dataset_by_node
from torch.distributed.device_mesh import init_device_mesh
from torch.utils.data import DistributedSampler


def start():
    return init_device_mesh("cuda", (4, 2), mesh_dim_names=("dp", "tp"))  # expect-note: "the `tp` group"


def sampler_bad(dataset):
    return DistributedSampler(dataset, shuffle=True)  # expect: [sp-inputs-differ] "the ranks of one `tp` group"


def shard_bad(dataset):
    return dataset.shard(num_shards=dist.get_world_size(), index=dist.get_rank())  # expect: [sp-inputs-differ] "`shard`"


def split_bad(dataset):
    return split_dataset_by_node(dataset, dist.get_rank(), dist.get_world_size())  # expect: [sp-inputs-differ]


def sampler_ok(dataset, mesh):
    replicas = mesh["dp"]
    return DistributedSampler(dataset, num_replicas=replicas.size(), rank=replicas.get_local_rank())


def shard_ok(dataset, mesh):
    return dataset.shard(num_shards=4, index=mesh.get_local_rank("dp"))


def shard_of_tensor_ok(dataset, index):
    return dataset.shard(4, index)
