"""A state that is gathered where the model is sharded, in a program that shards nothing."""
import torch
from accelerate import Accelerator


def plain_state_ok(accelerator: Accelerator, model, path):
    if accelerator.is_main_process:
        torch.save(accelerator.get_state_dict(model), path)  # silent: [not-sharded]


def plain_model_ok(accelerator: Accelerator, model, path):
    if accelerator.is_main_process:
        accelerator.save_model(model, path)  # silent: [not-sharded]


def automatic_names_bad(accelerator: Accelerator, path):
    if accelerator.is_main_process:
        accelerator.save_state(path)  # expect: [rank-guarded-state-dict] "`save_state`"
