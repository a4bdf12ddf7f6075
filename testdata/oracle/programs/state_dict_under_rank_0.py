"""A full state dictionary of a sharded model is gathered from all ranks, whoever saves it."""
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

WORLD_SIZE = 2


def sharded_model():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=init_device_mesh("cpu", (2,)))
    return model


def bad():
    model = sharded_model()
    if dist.get_rank() == 0:
        get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    dist.barrier()


def good():
    model = sharded_model()
    weights = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    if dist.get_rank() == 0:
        print(len(weights), end="")
    dist.barrier()
