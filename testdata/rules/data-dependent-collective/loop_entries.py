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


# Of a dictionary that is read from a file nothing is known; one entry of it is this rank's own from here on.
def resumes_ok(net, loader, read_state, resumed, every):
    dist.init_process_group("nccl")
    model = DDP(net)
    state = {"step": 0, "loss": 0.0}
    if resumed:
        state = read_state()
    for i, batch in enumerate(loader):
        if i < state["step"]:
            continue
        loss = model(batch)
        state["step"] += 1
        state["loss"] += loss.item()
        if state["step"] % every == 0:
            state["loss"] = 0.0
            dist.barrier()


def resumes_with_loss_bad(net, loader, read_state, resumed, limit):
    dist.init_process_group("nccl")
    model = DDP(net)
    state = {"step": 0, "loss": 0.0}
    if resumed:
        state = read_state()
    for batch in loader:
        loss = model(batch)
        state["step"] += 1
        state["loss"] += loss.item()
        if state["loss"] > limit:
            dist.barrier()  # expect: [data-dependent-collective] "its batch"
