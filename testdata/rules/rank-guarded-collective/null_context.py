import contextlib

import torch
import torch.distributed as dist


def train_bad(step, epochs, wanted):
    wanted = wanted and dist.get_rank() == 0
    context = torch.profiler.profile() if wanted else contextlib.nullcontext()
    with context as profiler:
        for epoch in range(epochs):
            step(epoch)
            if profiler is not None:
                profiler.step()
                dist.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world` is issued by rank 0"


def train_ok(step, epochs, wanted):
    context = torch.profiler.profile() if wanted and dist.get_rank() == 0 else contextlib.nullcontext()
    with context as profiler:
        for epoch in range(epochs):
            step(epoch)
            if profiler is not None:
                profiler.step()
            dist.barrier()


def profiled_everywhere_ok(step, epochs, wanted):
    context = torch.profiler.profile() if wanted else contextlib.nullcontext()
    with context as profiler:
        for epoch in range(epochs):
            step(epoch)
            if profiler is not None:
                dist.barrier()


def handed_on_ok(step, model):
    context = contextlib.nullcontext(model)
    with context as inner:
        step(inner)
        if inner is not None:
            dist.barrier()
