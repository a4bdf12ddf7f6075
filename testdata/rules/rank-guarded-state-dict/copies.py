"""The copy of a model is what the model was when it was copied."""
import copy

from accelerate import Accelerator, FullyShardedDataParallelPlugin

sharding = FullyShardedDataParallelPlugin()


def averages_ok(make_model, make_optimizer, path):
    accelerator = Accelerator(fsdp_plugin=sharding)
    model = make_model()
    average = copy.deepcopy(model)
    optimizer = make_optimizer(model)
    model, optimizer = accelerator.prepare(model, optimizer)
    if accelerator.is_main_process:
        accelerator.save_model(average, path)  # silent: [loaded-unwrapped]


def copies_wrapped_bad(make_model, make_optimizer, path):
    accelerator = Accelerator(fsdp_plugin=sharding)
    model = make_model()
    optimizer = make_optimizer(model)
    model, optimizer = accelerator.prepare(model, optimizer)
    average = copy.deepcopy(model)
    if accelerator.is_main_process:
        accelerator.save_model(average, path)  # expect: [rank-guarded-state-dict] "`save_model`"


def prepares_copy_bad(make_model, path):
    accelerator = Accelerator(fsdp_plugin=sharding)
    model = make_model()
    average = copy.deepcopy(model)
    model, average = accelerator.prepare(model, average)
    if accelerator.is_main_process:
        accelerator.save_model(average, path)  # expect: [rank-guarded-state-dict] "`save_model`"
