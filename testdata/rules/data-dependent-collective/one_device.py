"""What is agreed on where there are several devices, and training that one process does in its time."""
import time

import torch
import torch.distributed as dist
from transformers import Trainer


def mean_loss(model, eval_dataloader, sharded):
    total = 0.0
    for batch in eval_dataloader:
        total += model(batch).loss.detach().float()
    if torch.cuda.device_count() > 1 and sharded:
        dist.all_reduce(total)
    return total / len(eval_dataloader)


def own_mean_loss(model, eval_dataloader):
    total = 0.0
    for batch in eval_dataloader:
        total += model(batch).loss.detach().float()
    return total / len(eval_dataloader)


def mean_of_all_ok(model, eval_dataloader, epochs, sharded):
    best = float("inf")
    for _ in range(epochs):
        loss = mean_loss(model, eval_dataloader, sharded)
        if loss < best:
            if sharded:
                dist.barrier()  # silent: [agrees-on-many-devices]
            best = loss


def own_mean_bad(model, eval_dataloader, epochs, sharded):
    best = float("inf")
    for _ in range(epochs):
        loss = own_mean_loss(model, eval_dataloader)
        if loss < best:
            if sharded:
                dist.barrier()  # expect: [data-dependent-collective] "its batch"
            best = loss


def one_after_the_other_ok(models, limit):
    # Who looks at the time before each whole training is one process.
    start = time.time()
    for model in models:
        if time.time() - start > limit:
            break  # silent: [trains-in-time]
        Trainer(model=model).train()
