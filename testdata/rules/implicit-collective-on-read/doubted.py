# A helper for values of any kind: who calls it alone hands it none that are sharded.
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.tensor import DTensor


def whole(values):
    out = []
    for value in values:
        if isinstance(value, DTensor):
            out.append(value.full_tensor())
    return out


def save_of_one_ok(values, path):
    if dist.get_rank() == 0:
        torch.save(whole(values), path)  # silent: [asks-kind]


def write_whole_ok(model, path):
    state = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    if dist.get_rank() == 0:
        out = {}
        for name, tensor in state.items():
            out[name] = tensor.full_tensor()  # silent: [whole-before]
        torch.save(out, path)


def write_parts_bad(model, path):
    state = get_model_state_dict(model, options=StateDictOptions(cpu_offload=True))
    if dist.get_rank() == 0:
        out = {}
        for name, tensor in state.items():
            out[name] = tensor.full_tensor()  # expect: [implicit-collective-on-read] "`full_tensor`"
        torch.save(out, path)
