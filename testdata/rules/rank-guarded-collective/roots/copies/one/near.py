"""Here one copy is nearer."""
import torch.distributed as dist

from shared.ops import settle


def nearer_copy_bad(x):
    if dist.get_rank() == 0:
        settle(x)  # expect: [rank-guarded-collective] "`all_reduce`"
