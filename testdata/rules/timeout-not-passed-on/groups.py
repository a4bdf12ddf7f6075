"""Each group has a time-out of its own: that of the default group holds for no other."""
from datetime import timedelta

import torch.distributed as dist


def setup(args):
    if not dist.is_initialized():
        dist.init_process_group(backend=args.backend, timeout=timedelta(minutes=args.minutes))


def first_bad(ranks):
    return dist.new_group(ranks)  # expect: [timeout-not-passed-on] "this group does not take over the `timeout` of `init_process_group`"


# Told with the first.
def second(ranks):
    return dist.new_subgroups(8)


def passed_on_ok(ranks, args):
    return dist.new_group(ranks, timedelta(minutes=args.minutes))


def whatever_is_given_ok(ranks, **options):
    return dist.new_group(ranks, **options)
