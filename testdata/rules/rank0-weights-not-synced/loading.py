"""Weights of rank 0 and models that all ranks shard."""
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP


def loaded_by_one_bad(model, state):
    if dist.get_rank() == 0:
        model.load_state_dict(state)  # expect: [rank0-weights-not-synced] "only some ranks"
    fully_shard(model)


def not_synchronised_bad(model, state):
    if dist.get_rank() == 0:
        model.load_state_dict(state)  # expect: [rank0-weights-not-synced] "only some ranks"
    return FSDP(model, sync_module_states=False, device_id=torch.cuda.current_device())


def synchronised_ok(model, state):
    if dist.get_rank() == 0:
        model.load_state_dict(state)
    return FSDP(model, sync_module_states=True, device_id=torch.cuda.current_device())


def data_parallel_ok(model, state):
    if dist.get_rank() == 0:
        model.load_state_dict(state)
    return DDP(model)


def broadcast_afterwards_ok(model, state):
    if dist.get_rank() == 0:
        model.load_state_dict(state)
    for parameter in model.parameters():
        dist.broadcast(parameter.data, src=0)
    fully_shard(model)


def set_afterwards_ok(model, state):
    if dist.get_rank() == 0:
        model.load_state_dict(state)
    fully_shard(model)
    set_model_state_dict(model, state, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))


def loaded_by_all_ok(model, state):
    if dist.get_rank() == 0:
        print("loading")
    model.load_state_dict(state)
    fully_shard(model)
