# A counter that each rank raises by what it measured itself.
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def losses_of(model, data):
    total = 0.0
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        total += model(batch).item()
    return total


def patience_bad(model, data, gradient):
    bad_epochs = 0
    for _ in range(100):
        dist.all_reduce(gradient)  # expect: [data-dependent-collective] "its batch"
        if losses_of(model, data) > 0.1:
            bad_epochs += 1
        if bad_epochs > 3:
            break


def agreed_patience_ok(model, data, gradient, total):
    bad_epochs = 0
    for _ in range(100):
        dist.all_reduce(gradient)
        total.fill_(losses_of(model, data))
        dist.all_reduce(total)
        if total.item() > 0.1:
            bad_epochs += 1
        if bad_epochs > 3:
            break
