"""Rank 0 has the weights and sets them, to be broadcast; the others do not come to receive them."""
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

WORLD_SIZE = 2


def bad():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=init_device_mesh("cpu", (2,)))
    if dist.get_rank() == 0:
        weights = {"weight": torch.ones(4, 4), "bias": torch.ones(4)}
        set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))
    dist.barrier()


def good():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=init_device_mesh("cpu", (2,)))
    weights = {}
    if dist.get_rank() == 0:
        weights = {"weight": torch.ones(4, 4), "bias": torch.ones(4)}
    set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))
    dist.barrier()
