"""What a function writes where it finds nothing is there when it is called again with the same."""
import glob

import torch
import torch.distributed as dist


def embed(model, pattern):
    if len(glob.glob(pattern)) > 0:
        return "ids" if dist.get_rank() == 0 else None
    dist.barrier()
    torch.save(model, pattern.replace("*", str(dist.get_rank())))
    return None


def called_again_ok(model, pattern):
    ids = embed(model, pattern)
    dist.barrier()
    if ids is None and dist.get_rank() == 0:
        ids = embed(None, pattern)  # silent: [made-before]
    return ids


def other_files_bad(model, pattern, other):
    ids = embed(model, pattern)
    dist.barrier()
    if ids is None and dist.get_rank() == 0:
        ids = embed(model, other)  # expect: [rank-guarded-collective] "`barrier`"
    return ids


def first_call_bad(model, pattern):
    if dist.get_rank() == 0:
        return embed(model, pattern)  # expect: [rank-guarded-collective] "`barrier`"


def look(pattern):
    if len(glob.glob(pattern)) > 0:
        return True
    dist.barrier()
    return False


def nothing_written_bad(pattern):
    look(pattern)
    if dist.get_rank() == 0:
        look(pattern)  # expect: [rank-guarded-collective] "`barrier`"
