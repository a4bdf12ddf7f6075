"""A folder without an `__init__.py` is a package too."""
import torch.distributed as dist

from kit import reduce


def module_of_a_folder_bad(x):
    if dist.get_rank() == 0:
        reduce.everywhere(x)  # expect: [rank-guarded-collective] "`all_reduce`"
