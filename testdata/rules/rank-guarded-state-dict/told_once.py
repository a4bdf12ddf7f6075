"""A branch on the number of the rank is what makes the call hang, whatever is asked below it."""
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel

best = 0.0


def accuracy(model, loader):
    correct = total = 0
    for x, y in loader:
        correct += model(x).argmax(1).eq(y).sum().item()
        total += y.size(0)
    return 100.0 * correct / total


def keep_best_bad(model, loader, rank=0):
    found = accuracy(model, loader)
    if rank == 0:  # expect-note: "ranks diverge here"
        if found > best:
            torch.save(model.state_dict(), "best.pt")  # expect: [rank-guarded-state-dict]


def keep_best_of_each_bad(model, loader, rank=0):
    found = accuracy(model, loader)
    if found > best:  # expect-note: "ranks diverge here"
        torch.save(model.state_dict(), f"best{rank}.pt")  # expect: [data-dependent-collective]


def alone(net, loader):
    keep_best_bad(net, loader)


def main(net, loader):
    dist.init_process_group("nccl")
    model = FullyShardedDataParallel(net)
    keep_best_bad(model, loader, dist.get_rank())
    keep_best_of_each_bad(model, loader, dist.get_rank())
