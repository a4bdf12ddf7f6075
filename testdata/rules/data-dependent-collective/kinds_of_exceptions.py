"""`raise Exception` passes handlers for narrower exceptions: by it no rank skips the collective."""
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader


def checked(loss):
    if torch.isnan(loss):
        raise Exception("no number")


def past_a_narrow_handler_bad(model, samples):
    for x in DataLoader(samples):
        loss = model(x)
        try:
            checked(loss)
        except torch.cuda.OutOfMemoryError:  # expect: [exception-skips-collective]
            continue
        dist.all_reduce(loss)


def past_two_kinds_ok(model, samples):
    for x in DataLoader(samples):
        loss = model(x)
        try:
            if torch.isnan(loss):
                raise Exception("no number")
        except (ValueError, OSError):
            continue
        dist.all_reduce(loss)


def into_a_wide_handler_bad(model, samples):
    for x in DataLoader(samples):
        loss = model(x)
        try:
            checked(loss)
        except Exception:  # expect: [exception-skips-collective]
            continue
        dist.all_reduce(loss)


def into_one_of_two_bad(model, samples):
    for x in DataLoader(samples):
        loss = model(x)
        try:
            if torch.isnan(loss):
                raise Exception("no number")
        except (ValueError, Exception):
            continue
        dist.all_reduce(loss)  # expect: [data-dependent-collective]
