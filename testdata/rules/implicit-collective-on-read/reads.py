"""Reading distributed tensors: what gathers and what does not."""
import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor


def gathered_bad(weight: DTensor):
    if dist.get_rank() == 0:
        return weight.full_tensor()  # expect: [implicit-collective-on-read] "`full_tensor`"


def gathered_in_a_loop_bad(model):
    state = {}
    for name, parameter in model.named_parameters():
        if dist.get_rank() == 0:
            state[name] = parameter.full_tensor()  # expect: [implicit-collective-on-read] "`full_tensor`"
    return state


def own_part_ok(weight: DTensor):
    if dist.get_rank() == 0:
        print(weight.to_local().norm())


def gathered_by_all_ok(model):
    state = {}
    for name, parameter in model.named_parameters():
        whole = parameter.full_tensor() if isinstance(parameter, DTensor) else parameter
        if dist.get_rank() == 0:
            state[name] = whole.cpu()
    return state


def along_another_axis_ok(weight: DTensor, mesh):
    if mesh.get_local_rank("pp") == 0:
        return torch.linalg.vector_norm(weight.to_local())
