"""Gradient norms of sharded models."""
import math

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor


class Trainer:
    def __init__(self, module):
        self.model = FSDP(module, device_id=torch.cuda.current_device())
        self.plain = torch.nn.Linear(4, 4)

    def step_bad(self, loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # expect: [clip-without-group] "this rank's shards only"

    def own_method_ok(self, loss):
        loss.backward()
        self.model.clip_grad_norm_(1.0)

    def plain_module_ok(self, loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.plain.parameters(), 1.0)


def shard(model):
    return fully_shard(model)


def read_at_once_bad(model, loss):
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).item()  # expect: [clip-without-group] "reading it gives this rank's part"
    dist.all_reduce(loss)
    return math.isfinite(norm)


def read_later_bad(model, loss):
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: [clip-without-group] "reading it gives this rank's part"
    dist.all_reduce(loss)
    if math.isnan(float(norm)):
        loss.zero_()


def only_logged_ok(model, loss):
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).item()
    dist.all_reduce(loss)
    return norm


def made_whole_ok(model, loss):
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if isinstance(norm, DTensor):
        norm = norm.full_tensor()
    dist.all_reduce(loss)
    return norm.item()


def not_read_ok(model, loss):
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    dist.all_reduce(loss)
