"""Batches that go through functions, methods and a framework's hooks before anybody asks for their numbers."""
import torch
import torch.distributed as dist
from lightning.pytorch import LightningModule
from torch import nn


def step(model, batch):
    loss = model(batch)
    if torch.isnan(loss):
        return None
    dist.all_reduce(loss)
    return loss


def step_in_a_helper_bad(loader, model):
    for batch in loader:
        step(model, batch)  # expect: [data-dependent-collective] "its batch"


def reduced_step(model, batch):
    loss = model(batch)
    dist.all_reduce(loss)
    if torch.isnan(loss):
        return None
    dist.barrier()
    return loss


def step_in_a_helper_ok(loader, model):
    for batch in loader:
        reduced_step(model, batch)


def average(value):
    value = value.clone()
    dist.all_reduce(value)
    return value / dist.get_world_size()


def averaged_step(loss):
    loss = average(loss)
    if loss.item() > 100:
        return
    dist.barrier()


def averaged_step_ok(loader, model):
    for batch in loader:
        averaged_step(model(batch))


def filled_step(loss):
    dist.all_reduce(loss)
    if loss.item() > 100:
        return
    dist.barrier()


def filled_step_ok(loader, model):
    for batch in loader:
        filled_step(model(batch))


def step_by_kind(model, batch, mode):
    loss = model(batch)
    if mode > 1:
        dist.all_reduce(loss)
    return loss


def step_by_kind_ok(loader, model, mode):
    for batch in loader:
        step_by_kind(model, batch, mode)


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader

    def forward(self, batch):
        return self.model(batch["x"], batch["labels"])

    def step(self, batch, total):
        loss = self.forward(batch)
        if loss.item() > 100:
            return
        dist.all_reduce(total)

    def gathered_step(self, batch, total):
        loss = self.gather_loss(self.forward(batch))
        if loss.item() > 100:
            return
        dist.all_reduce(total)

    def train_bad(self, total):
        for batch in self.loader:
            self.step(batch, total)  # expect: [data-dependent-collective] "its batch"

    def train_ok(self, total):
        for batch in self.loader:
            self.gathered_step(batch, total)


class Criterion(nn.Module):
    def forward(self, outputs, targets):
        count = sum(len(target["labels"]) for target in targets)
        if count == 0:
            return outputs.sum() * 0
        total = torch.as_tensor([count], device=outputs.device)
        dist.all_reduce(total)
        return outputs.sum() / total


criterion = Criterion()


def criterion_bad(loader, model):
    for images, targets in loader:
        criterion(model(images), targets)  # expect: [data-dependent-collective] "its batch"


def found_bad(loader, model):
    for batch in loader:
        found = (batch["labels"] > 0).nonzero().squeeze(1)
        if len(found) > 0:
            dist.barrier()  # expect: [data-dependent-collective] "its batch"


def collected_ok(loader, model):
    losses = []
    for batch in loader:
        losses.append(model(batch))
    if len(losses) > 0:
        total = torch.stack(losses).sum()
        dist.all_reduce(total)


class Module(LightningModule):
    def training_step(self, batch, i):
        loss = self.net(batch["x"])
        if torch.isnan(loss):
            return None  # expect: [data-dependent-collective] "its batch"
        return self.all_gather(loss).mean()

    def validation_step(self, batch, i):
        if i > 0:
            return self.all_gather(self.net(batch["x"])).mean()
        return None
