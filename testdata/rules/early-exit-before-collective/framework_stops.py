"""Who asks Lightning's loop to stop, on one rank or on all."""
import time
from datetime import timedelta

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities import rank_zero_only


class Limit(pl.Callback):
    def __init__(self, limit):
        self.limit = limit
        self.start = time.time()

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if trainer.is_global_zero and self.source.poll():
            trainer.should_stop = True  # expect: [early-exit-before-collective] "`should_stop` is set on some ranks alone"

    def on_train_epoch_end(self, trainer, pl_module):
        self._check(trainer)

    @rank_zero_only
    def _check(self, trainer):
        if time.time() - self.start > self.limit:
            trainer.should_stop = True  # expect: [early-exit-before-collective] "`should_stop`"


class Days(pl.Callback):
    def on_validation_end(self, trainer: pl.Trainer, pl_module):
        self._check(trainer)

    @rank_zero_only
    def _check(self, trainer: pl.Trainer) -> None:
        if timedelta(seconds=time.time() - self.start) < self.limit:
            return
        trainer.should_stop = True  # expect: [early-exit-before-collective] "`should_stop`"


class Told(pl.Callback):
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if trainer.is_global_zero and self.source.poll():
            trainer.should_stop = True
        trainer.should_stop = trainer.strategy.reduce_boolean_decision(trainer.should_stop, all=False)

    def on_train_epoch_end(self, trainer, pl_module):
        stop = torch.tensor(trainer.is_global_zero and self.source.poll())
        trainer.should_stop = bool(trainer.strategy.broadcast(stop, src=0))

    def on_validation_end(self, trainer, pl_module):
        if trainer.callback_metrics["loss"] > self.worst:
            trainer.should_stop = True


class Model(pl.LightningModule):
    def on_train_epoch_end(self):
        if self.global_rank == 0 and self.source.is_done():
            self.trainer.should_stop = True  # expect: [early-exit-before-collective] "`should_stop`"

    def on_validation_epoch_end(self):
        if self.current_epoch > 3:
            self.trainer.should_stop = True
