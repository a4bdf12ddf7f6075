# A function out of a table or a list, by a number that is made of the rank.
import torch.distributed as dist


def lead(x):
    dist.all_reduce(x)


def follow(x):
    return x


def smaller_number_bad(x):
    steps = [lead, follow]
    steps[min(dist.get_rank(), 1)](x)  # expect: [rank-guarded-collective]


def larger_number_ok(x):
    steps = [lead, lead, lead, lead]
    steps[max(dist.get_rank(), 1)](x)


def entry_bad(x):
    table = {0: lead, 1: follow}
    table[dist.get_rank()](x)  # expect: [rank-guarded-collective]


def entry_or_other_bad(x):
    table = {0: lead}
    table.get(dist.get_rank(), follow)(x)  # expect: [rank-guarded-collective]


def entry_or_none_bad(x):
    function = {0: lead}.get(dist.get_rank())
    if function is not None:
        function(x)  # expect: [rank-guarded-collective]


def entry_or_other_ok(x):
    table = {0: lead}
    table.get(dist.get_rank(), lead)(x)


def entry_by_option_ok(x, mode):
    table = {"lead": lead, "follow": follow}
    table.get(mode, follow)(x)
