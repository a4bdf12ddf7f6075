"""Hugging Face Accelerate: the main process, and what all processes have to call."""
import torch
from accelerate import Accelerator, DistributedType, PartialState


def gather_on_main_bad(loss):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        print(accelerator.gather(loss).mean())  # expect: [rank-guarded-collective] "`all_gather`"


def wait_on_main_bad(path):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        open(path, "w").close()
        accelerator.wait_for_everyone()  # expect: [rank-guarded-collective] "`barrier`"


def parameter_named_accelerator_bad(accelerator, loss):
    if accelerator.is_main_process:
        accelerator.log({"loss": accelerator.reduce(loss)})  # expect: [rank-guarded-collective] "`all_reduce`"


def local_main_bad(accelerator, logits):
    if accelerator.is_local_main_process:
        logits = accelerator.gather_for_metrics(logits)  # expect: [rank-guarded-collective] "`all_gather`"


class Trainer:
    def __init__(self):
        self.accelerator = Accelerator()

    def evaluate_bad(self, logits):
        if self.accelerator.is_main_process:
            padded = self.accelerator.pad_across_processes(logits, dim=1)  # expect: [rank-guarded-collective] "`all_gather`"
            print(padded)

    def evaluate_ok(self, logits):
        gathered = self.accelerator.gather_for_metrics(logits)
        if self.accelerator.is_main_process:
            print(gathered)


def process_index_bad(accelerator):
    if accelerator.process_index == 0:
        accelerator.wait_for_everyone()  # expect: [rank-guarded-collective] "`barrier`"


def partial_state_bad():
    state = PartialState()
    if state.is_main_process:
        state.wait_for_everyone()  # expect: [rank-guarded-collective] "`barrier`"


def unwrapped_save_ok(accelerator, model, path):
    accelerator.wait_for_everyone()
    unwrapped = accelerator.unwrap_model(model)
    if accelerator.is_main_process:
        torch.save(unwrapped, path)
    accelerator.wait_for_everyone()


def trackers_and_prints_ok(accelerator, loss):
    if accelerator.is_main_process:
        accelerator.init_trackers("run")
        accelerator.log({"loss": loss.item()})
        accelerator.print(loss)


def gradient_accumulation_ok(accelerator, loss, model):
    with accelerator.accumulate(model):
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)


def download_first_ok(accelerator, download):
    with accelerator.main_process_first():
        data = download()
    return data


def save_where_it_is_local_ok(path):
    accelerator = Accelerator()
    if accelerator.distributed_type == DistributedType.DEEPSPEED or accelerator.is_main_process:
        accelerator.save_state(path)


def save_on_main_bad(path):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        accelerator.save_state(path)  # expect: [rank-guarded-state-dict] "`save_state`"
