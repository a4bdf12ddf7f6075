"""A loop whose condition only the round that reduces changes: the clock decides when, not how often."""
import time

import torch
import torch.distributed as dist


def reduced(count):
    least = torch.tensor(count)
    dist.all_reduce(least, op=dist.ReduceOp.MIN)
    return least.item()


def starts_from_own_number_bad(source, period):
    items = [source.get()]
    before, total = 0, len(items)  # at first the own number, which differs
    due = time.time() + period
    while before < total:  # expect: [rank-dependent-loop] "before < total"
        items.append(source.get())
        if time.time() >= due:
            before = total
            total = reduced(len(items))  # silent: [same-loop-condition]
            due = time.time() + period
    return items


def gives_up_bad(source, period, most):
    items = [source.get()]
    rounds = 0
    due = time.time() + period
    while rounds < most:
        rounds += 1
        items.append(source.get())
        if time.time() >= due:
            reduced(len(items))  # expect: [data-dependent-collective] "clock"
    return items


def breaks_off_bad(source, period):
    items = [source.get()]
    before, total = 0, len(items)  # at first the own number, which differs
    due = time.time() + period
    while before < total:  # expect: [rank-dependent-loop] "before < total"
        items.append(source.get())
        if source.empty():
            break
        if time.time() >= due:
            before = total
            total = reduced(len(items))  # expect: [data-dependent-collective] "clock"
    return items
