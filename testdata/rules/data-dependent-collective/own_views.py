# Ranks that part by what each sees alone are those where the condition holds: no number stands for them.
import torch
import torch.distributed as dist


def average(model, loader, optimizer):
    for batch in loader:
        loss = model(batch).mean()
        if torch.isnan(loss):  # expect-note: "ranks diverge here"
            continue  # expect: [data-dependent-collective] "depends on what each rank sees by itself"
        dist.all_reduce(loss)  # expect-note: "ranks where `torch.isnan(loss)` is false wait here"
        optimizer.step()
