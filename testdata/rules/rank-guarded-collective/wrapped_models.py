"""Forward and backward passes of wrapped models: both communicate, in the loss's own name."""
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.nn.parallel import DistributedDataParallel


def backward_of_one_rank_bad(net, x):
    model = DistributedDataParallel(net)
    loss = model(x).sum()
    if dist.get_rank() == 0:
        loss.backward()  # expect: [rank-guarded-collective] "`gradient_reduction` on `world` is issued by rank 0"


def by_a_criterion_bad(net, x, y, criterion, steps):
    model = DistributedDataParallel(net)
    loss = criterion(model(x), y) / steps
    if dist.get_rank() == 0:
        loss.backward()  # expect: [rank-guarded-collective] "gradient_reduction"


def by_a_library_function_bad(net, x, y):
    model = FullyShardedDataParallel(net)
    out = model(input_ids=x)
    loss = F.cross_entropy(out.logits, y)
    if dist.get_rank() == 0:
        loss.backward()  # expect: [rank-guarded-collective] "gradient_reduction"


def scaled_bad(net, x, scaler):
    model = DistributedDataParallel(net)
    loss = model(x)["loss"]
    if dist.get_rank() == 0:
        scaler.scale(loss).backward()  # expect: [rank-guarded-collective] "gradient_reduction"


class Trainer:
    def __init__(self, net):
        self.model = DistributedDataParallel(net)

    def loss(self, x):
        return self.model(x).mean()

    def step_bad(self, x):
        loss = self.loss(x)
        if dist.get_rank() == 0:
            loss.backward()  # expect: [rank-guarded-collective] "`gradient_reduction` on `world`"

    def step_ok(self, x):
        loss = self.loss(x)
        loss.backward()
        if dist.get_rank() == 0:
            print(loss.item())


def sharded_in_place_bad(net, x):
    fully_shard(net)
    if dist.get_rank() == 0:
        net(x)  # expect: [rank-guarded-collective] "`all_gather` on `world`"


def sharded_in_place_ok(net, x):
    fully_shard(net)
    out = net(x)
    if dist.get_rank() == 0:
        print(out)


def not_wrapped_ok(net, x):
    loss = net(x).sum()
    if dist.get_rank() == 0:
        loss.backward()


def inner_module_ok(net, x):
    model = DistributedDataParallel(net)
    if dist.get_rank() == 0:
        loss = model.module(x).sum()
        loss.backward()


def both_sides_ok(net, x, weight):
    model = DistributedDataParallel(net)
    loss = model(x).sum()
    if dist.get_rank() == 0:
        loss.backward()
    else:
        (weight * loss).backward()


def of_another_tensor_ok(net, x, other):
    model = DistributedDataParallel(net)
    model(x).sum().backward()
    if dist.get_rank() == 0:
        torch.sum(other).backward()
