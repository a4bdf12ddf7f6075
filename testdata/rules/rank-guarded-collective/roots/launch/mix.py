"""Whoever starts it has the folder of the package on the path."""
import torch.distributed as dist

from sound.ops.reduce import mix


def package_elsewhere_bad(x):
    if dist.get_rank() == 0:
        mix(x)  # expect: [rank-guarded-collective] "`all_reduce`"
