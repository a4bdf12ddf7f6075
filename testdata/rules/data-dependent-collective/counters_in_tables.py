"""Entries of one table: the steps are alike on all ranks, the summed loss is not."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def counted_in_a_table_ok(args, net, loader):
    model = DistributedDataParallel(net)
    state = {"step": 0, "loss": 0}
    for epoch in range(args.epochs):
        for x in loader:
            loss = model(x)
            loss.backward()
            state["step"] += 1
            state["loss"] += loss.item()
            if dist.get_rank() == 0 and state["step"] % 10 == 0:
                state["loss"] = 0
            if state["step"] >= args.most:
                break


def left_by_what_it_sums_bad(args, net, loader):
    model = DistributedDataParallel(net)
    state = {"step": 0, "loss": 0}
    for epoch in range(args.epochs):
        for x in loader:
            loss = model(x)  # expect: [data-dependent-collective] "its batch"
            loss.backward()
            state["step"] += 1
            state["loss"] += loss.item()
            if state["loss"] >= args.most:
                break
