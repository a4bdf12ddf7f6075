"""A package that lies in another one, and is imported as if it did not."""
import torch.distributed as dist

from sound.ops.reduce import mix


def own_package_bad(x):
    if dist.get_rank() == 0:
        mix(x)  # expect: [rank-guarded-collective] "`all_reduce`"
