# What a loop brings into one entry of a dictionary says nothing of the others.
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def counts_steps_ok(net, loader, every):
    dist.init_process_group("nccl")
    model = DDP(net)
    state = {"step": 0, "loss": 0.0}
    for batch in loader:
        loss = model(batch)
        loss.backward()
        state["step"] += 1
        state["loss"] += loss.item()
        if state["step"] % every == 0:
            dist.barrier()


def counts_on_one_side_ok(net, loader, every, verbose):
    dist.init_process_group("nccl")
    model = DDP(net)
    state = {"step": 0, "loss": 0.0}
    for batch in loader:
        loss = model(batch)
        if verbose:
            state["loss"] = loss.item()
        state["step"] += 1
        if state["step"] % every == 0:
            dist.barrier()


def adds_losses_bad(net, loader, limit):
    dist.init_process_group("nccl")
    model = DDP(net)
    state = {"step": 0, "loss": 0.0}
    for batch in loader:
        loss = model(batch)
        state["step"] += 1
        state["loss"] += loss.item()
        if state["loss"] > limit:
            dist.barrier()  # expect: [data-dependent-collective] "its batch"
