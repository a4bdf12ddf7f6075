"""What a trainer calls it calls on every rank."""
import json
import os
import shutil

import torch
from lightning.pytorch import Callback, LightningModule
from transformers import Trainer, TrainerCallback


class Mover(TrainerCallback):
    def on_save(self, args, state, control, **kwargs):
        torch.save(state, os.path.join(args.output_dir, "state.pt"))  # expect: [shared-file-written-by-all] "at once"
        return control

    def on_epoch_end(self, args, state, control, **kwargs):
        self.move(args.output_dir)

    def move(self, folder):
        shutil.move(os.path.join(folder, "last.pt"), folder)  # expect: [shared-file-written-by-all]

    def on_log(self, args, state, control, **kwargs):
        if state.is_world_process_zero:
            torch.save(state, os.path.join(args.output_dir, "log.pt"))

    def helper(self, args, state):
        torch.save(state, os.path.join(args.output_dir, "unused.pt"))


class Saver(Callback):
    def on_train_end(self, trainer, module):
        torch.save(module.state_dict(), "last.pt")  # expect: [shared-file-written-by-all]

    def on_validation_end(self, trainer, module):
        if trainer.is_global_zero:
            torch.save(module.state_dict(), "best.pt")

    def on_exception(self, trainer, module, error):
        torch.save(module.state_dict(), "failed.pt")


class Judging(Trainer):
    def evaluation_loop(self, *args, **kwargs):
        with open("scores.json", "a") as f:  # expect: [shared-file-written-by-all]
            json.dump(kwargs, f)
        return super().evaluation_loop(*args, **kwargs)


class Unmade(TrainerCallback):
    def on_save(self, args, state, control, **kwargs):
        torch.save(state, os.path.join(args.output_dir, "state.pt"))


def main(model):
    Judging(model, callbacks=[Mover(), Saver(), Draws()]).train()


class Draws(LightningModule):
    def validation_step(self, batch, number):
        torch.save(self(batch), f"drawn/{batch.name}.pt")

    def training_step(self, batch, number):
        torch.save(batch, f"kept/{number}.pt")  # expect: [shared-file-written-by-all]
