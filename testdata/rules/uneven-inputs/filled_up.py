"""Lists that are filled up to the length of the longest, before all ranks go through them."""
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def as_they_are_bad(net, items, rank, world):
    model = FSDP(net)
    mine = []
    for i in range(rank, len(items), world):
        if len(items[i]) > 9:
            continue
        mine.append(items[i])
    for start in range(0, len(mine), 4):  # expect: [uneven-inputs] "differs between ranks"
        model(mine[start:start + 4])


def filled_up_ok(net, items, rank, world):
    model = FSDP(net)
    mine = []
    for i in range(rank, len(items), world):
        if len(items[i]) > 9:
            continue
        mine.append(items[i])
    longest = torch.tensor(len(mine))
    dist.all_reduce(longest, op=dist.ReduceOp.MAX)
    longest = int(longest.item())
    while len(mine) < longest:
        mine.append(None)
    for start in range(0, len(mine), 4):
        model(mine[start:start + 4])


def filled_up_to_its_own_bad(net, items, rank, world):
    model = FSDP(net)
    mine = []
    for i in range(rank, len(items), world):
        if len(items[i]) > 9:
            continue
        mine.append(items[i])
    share = len(items[rank::world])
    while len(mine) < share:
        mine.append(None)
    for start in range(0, len(mine), 4):  # expect: [uneven-inputs] "differs between ranks"
        model(mine[start:start + 4])


def filled_up_to_the_least_bad(net, items, rank, world):
    model = FSDP(net)
    mine = []
    for i in range(rank, len(items), world):
        if len(items[i]) > 9:
            continue
        mine.append(items[i])
    while len(mine) < 4:
        mine.append(None)
    for start in range(0, len(mine), 4):  # expect: [uneven-inputs] "differs between ranks"
        model(mine[start:start + 4])
