"""Tensors that a helper makes whole: whoever calls it reads them."""
from typing import cast

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor


def whole_parameters(model):
    return [parameter.full_tensor() for parameter in model.parameters()]


def print_state(model):
    for name, value in model.state_dict().items():
        if isinstance(value, DTensor):
            print(name, value.full_tensor().shape)


def names_on_first_rank_bad(model):
    if dist.get_rank() == 0:
        print_state(model)  # expect: [implicit-collective-on-read] "`full_tensor`"


def names_on_all_ok(model):
    print_state(model)


def moved_before_it_is_read_bad(weight: DTensor):
    if dist.get_rank() == 0:
        return weight.detach().to(torch.float32).full_tensor()  # expect: [implicit-collective-on-read] "`full_tensor`"


def cast_before_it_is_read_bad(value):
    if dist.get_rank() == 0:
        return cast(DTensor, value).full_tensor()  # expect: [implicit-collective-on-read] "`full_tensor`"


def moved_on_all_ok(weight: DTensor):
    whole = weight.detach().to(torch.float32).full_tensor()
    return whole.cpu() if dist.get_rank() == 0 else None


def layers(model):
    for name, value in model.state_dict().items():
        yield name, value.full_tensor()


def saved_layer_by_layer_bad(model):
    if dist.get_rank() == 0:
        for name, value in layers(model):  # expect: [generator-collective] "`full_tensor`"
            torch.save(value, name)


def saved_layer_by_layer_ok(model):
    for name, value in layers(model):
        if dist.get_rank() == 0:
            torch.save(value, name)
