"""A loop over what a rank's model gave, which is left when something is wrong with it."""
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def has_infinities(losses):
    for loss in losses:
        if torch.isinf(loss).any():
            return True
    return False


def flagged_bad(net, dataset, optimizer):
    model = DistributedDataParallel(net)
    for batch in DataLoader(dataset):
        losses = model(batch)  # expect: [data-dependent-collective] "its batch"
        is_bad = False
        for loss in losses:
            if torch.isnan(loss).any():
                is_bad = True
                break
        if is_bad:
            continue
        sum(losses).backward()
        optimizer.step()


def returned_bad(net, dataset, optimizer):
    model = DistributedDataParallel(net)
    for batch in DataLoader(dataset):
        losses = model(batch)  # expect: [data-dependent-collective] "its batch"
        if has_infinities(losses):
            continue
        sum(losses).backward()
        optimizer.step()


def asked_for_kinds_good(net, dataset, optimizer):
    model = DistributedDataParallel(net)
    for batch in DataLoader(dataset):
        losses = model(batch)
        is_bad = False
        for loss in losses:
            if loss is None:
                is_bad = True
                break
        if is_bad:
            continue
        sum(losses).backward()
        optimizer.step()
