"""Functions chosen by the rank."""
import torch.distributed as dist


def share(x):
    dist.all_reduce(x)


def keep(x):
    pass


def share_too(x):
    dist.all_reduce(x)


def choice_bad(x):
    step = share if dist.get_rank() == 0 else keep
    step(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def table_bad(x):
    [share, keep][dist.get_rank() != 0](x)  # expect: [rank-guarded-collective] "`all_reduce`"


def choice_ok(x, fast):
    step = share if dist.get_rank() == 0 else share_too
    step(x)
    step = share if fast else keep
    step(x)


STEPS = {"shared": share, "own": keep}
SHARING = {"one": share, "other": share_too}


def dictionary_bad(x, name):
    if dist.get_rank() == 0:
        STEPS[name](x)  # expect: [rank-guarded-collective] "`all_reduce`"


def list_bad(x, number):
    if dist.get_rank() == 0:
        [keep, share][number](x)  # expect: [rank-guarded-collective] "`all_reduce`"


def key_by_rank_bad(x):
    STEPS["shared" if dist.get_rank() == 0 else "own"](x)  # expect: [rank-guarded-collective] "`all_reduce`"


def dictionary_ok(x, name):
    STEPS[name](x)
    SHARING["one" if dist.get_rank() == 0 else "other"](x)
    if dist.get_rank() == 0:
        STEPS["own"](x)


def two_keys_for_one_bad(x):
    {0: share, 2: share}.get(dist.get_rank(), keep)(x)  # expect: [rank-guarded-collective] "issued by ranks 0 and 2 and not by the other ranks"


def all_keys_for_one_ok(x):
    {0: share, 2: share}.get(dist.get_rank(), share)(x)
