"""What is found in one round of a loop, which is left then."""
import torch
import torch.distributed as dist


def is_named_first(names):
    for name in names:
        if dist.get_rank() == 0 and name == "first":
            return True
    return False


def flagged_bad(names, x):
    found = False
    for name in names:
        if dist.get_rank() == 0:
            found = True
            break
    if found:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def looked_for_bad(names, x):
    left = len(names)
    found = None
    while left > 0:
        left -= 1
        if dist.get_rank() == 0:
            found = names[left]
            break
    if found is not None:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def returned_bad(names, x):
    if is_named_first(names):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def found_by_all_ok(names, x):
    found = False
    for name in names:
        if name == "first":
            found = True
            break
    if found:
        dist.all_reduce(x)


def every_rank_is_found_ok(x):
    found = False
    for r in range(dist.get_world_size()):
        if dist.get_rank() == r:
            found = True
            break
    if found:
        dist.all_reduce(x)


def found_and_told_ok(names, x):
    found = torch.zeros(())
    for name in names:
        if dist.get_rank() == 0:
            found = torch.ones(())
            break
    dist.broadcast(found, src=0)
    if found.item() > 0:
        dist.all_reduce(x)
