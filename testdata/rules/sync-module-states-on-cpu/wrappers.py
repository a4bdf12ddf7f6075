"""Where the module lies when FSDP synchronises it."""
from functools import partial

import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import ShardingStrategy
from transformers import AutoModel


class Model(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = torch.nn.Linear(config.width, config.width)


def shard_model(model, device_id=None, process_group=None, sync_module_states=True):
    return FSDP(module=model, process_group=process_group, sharding_strategy=ShardingStrategy.FULL_SHARD,
                device_id=device_id, sync_module_states=sync_module_states)


def directly_bad(config):
    model = Model(config)
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def through_a_helper_bad(config):
    model = Model(config)
    return shard_model(model)  # expect: [sync-module-states-on-cpu] "`shard_model`"


def moved_back_bad(config):
    model = Model(config)
    model = model.to("cpu")
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def out_of_a_dictionary_bad(config):
    options = dict(sync_module_states=True)
    return FSDP(Model(config), **options)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def added_to_a_dictionary_ok(config):
    options = {"sync_module_states": True}
    options["device_id"] = torch.cuda.current_device()
    return FSDP(Model(config), **options)


def updated_dictionary_ok(config, more):
    options = {"sync_module_states": True}
    options.update(more)
    return FSDP(Model(config), **options)


def moved_by_a_name_bad(config):
    device = torch.device("cpu")
    model = Model(config).cuda().to(device)
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def only_its_type_changes_bad(config):
    model = Model(config).to(dtype=config.dtype).eval()
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def pretrained_on_the_host_bad(path):
    model = AutoModel.from_pretrained(path, device_map="cpu")
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def layers_bad():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def layers_by_another_name_bad():
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def normalised_by_another_name_ok(config):
    model = nn.SyncBatchNorm.convert_sync_batchnorm(config.model)
    return FSDP(model, sync_module_states=True)


def layers_on_device_ok():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4, device="cuda"), torch.nn.ReLU())
    return FSDP(model, sync_module_states=True)


def make(config):
    return Model(config)


def made_by_a_function_bad(config):
    model = make(config)
    return FSDP(model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


def made_by_a_function_on_device_ok(config):
    with torch.device("cuda"):
        model = make(config)
    return FSDP(model, sync_module_states=True)


def parameter_by_parameter_ok(config):
    model = Model(config)
    for parameter in model.parameters():
        parameter.data = parameter.data.cuda()
    return FSDP(model, sync_module_states=True)


def bring(model):
    model.cuda()


def brought_by_a_function_ok(config):
    model = Model(config)
    bring(model)
    return FSDP(model, sync_module_states=True)


class Attribute:
    def __init__(self, config):
        self.model = Model(config)

    def wrap_bad(self):
        self.model = FSDP(self.model, sync_module_states=True)  # expect: [sync-module-states-on-cpu] "`FullyShardedDataParallel`"


class MovedAttribute:
    def __init__(self, config):
        self.model = Model(config)
        self.model.cuda()

    def wrap_ok(self):
        self.model = FSDP(self.model, sync_module_states=True)


def with_device_ok(config):
    return shard_model(Model(config), device_id=torch.cuda.current_device())


def without_synchronising_ok(config):
    return shard_model(Model(config), sync_module_states=False)


def moved_ok(config):
    model = Model(config)
    model.cuda()
    return FSDP(model, sync_module_states=True)


def made_on_device_ok(config):
    with torch.device("cuda"):
        model = Model(config)
    return FSDP(model, sync_module_states=True)


def of_unknown_origin_ok(model):
    return FSDP(model, sync_module_states=True)


class Pipeline:
    """The helper is bound to its device once and handed on."""

    def __init__(self, config, local_rank, use_fsdp):
        shard_fn = partial(shard_model, device_id=local_rank)
        self.encoder = Encoder(config, shard_fn=shard_fn if use_fsdp else None)
        self.model = self.configure(Model(config), shard_fn)

    def configure(self, model, shard_fn):
        return shard_fn(model)


class Encoder:
    def __init__(self, config, shard_fn=None):
        self.model = Model(config)
        if shard_fn is not None:
            self.model = shard_fn(self.model, sync_module_states=False)


class Forgetful:
    def __init__(self, config):
        self.model = self.configure(Model(config), partial(shard_model, process_group=config.group))  # expect: [sync-module-states-on-cpu] "no `device_id`"

    def configure(self, model, shard_fn):
        return shard_fn(model)
