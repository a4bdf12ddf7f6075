"""Attributes that one rank alone makes, and that a step of all ranks reads."""
import torch
from lightning.pytorch import LightningModule
from lightning.pytorch.utilities import rank_zero_only


class KeptOnRankZero(LightningModule):
    def on_train_start(self):
        self.begin_epoch()

    @rank_zero_only
    def begin_epoch(self):
        self.losses = []

    def training_step(self, batch, batch_idx):
        loss = self.model(batch)
        self.losses.append(loss.detach())
        return loss

    @rank_zero_only
    def on_train_epoch_end(self):
        mean = torch.stack(self.losses).mean()
        self.log("train_loss", mean, sync_dist=True)  # silent: [fails-before]
        self.begin_epoch()

    def on_validation_end(self):
        self.stop_early()

    @rank_zero_only
    def stop_early(self):
        self.trainer.should_stop = True  # silent: [fails-before]


class KeptOnAll(LightningModule):
    def on_train_start(self):
        self.losses = []

    def training_step(self, batch, batch_idx):
        loss = self.model(batch)
        self.losses.append(loss.detach())
        return loss

    @rank_zero_only
    def on_train_epoch_end(self):
        mean = torch.stack(self.losses).mean()
        self.log("train_loss", mean, sync_dist=True)  # expect: [rank-guarded-collective] "`all_reduce`"
