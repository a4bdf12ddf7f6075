"""A body that a decorator runs on one rank only is told of once, not again at its calls."""
import torch.distributed as dist
from pytorch_lightning.utilities import rank_zero_only


@rank_zero_only
def report(x):
    dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def called_everywhere(x):
    report(x)


def defined_within(module, x):
    @rank_zero_only
    def compute():
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"

    if not module.sanity_checking:
        compute()
