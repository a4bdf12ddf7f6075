"""Modules without storage."""
import torch
from accelerate import init_empty_weights
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Model(torch.nn.Module):
    pass


def device_context_bad(config):
    with torch.device("meta"):
        model = Model(config)
    return FSDP(model)  # expect: [meta-without-init] "`param_init_fn`"


def empty_weights_bad(config):
    with init_empty_weights():
        model = Model(config)
    return FSDP(model, device_id=torch.cuda.current_device())  # expect: [meta-without-init] "`param_init_fn`"


def device_argument_bad():
    return FSDP(torch.nn.Linear(4, 4, device="meta"))  # expect: [meta-without-init] "`param_init_fn`"


def moved_there_bad(config):
    model = Model(config).to("meta")
    return FSDP(model)  # expect: [meta-without-init] "`param_init_fn`"


def materialised_ok(config):
    with torch.device("meta"):
        model = Model(config)
    return FSDP(model, param_init_fn=lambda m: m.to_empty(device="cuda", recurse=False))


def loaded_ok(config, state):
    with torch.device("meta"):
        model = Model(config)
    model.load_state_dict(state, assign=True)
    return FSDP(model)


def made_outside_ok(config):
    with torch.device("meta"):
        shapes = Model(config)
    print(shapes)
    model = Model(config)
    return FSDP(model)
