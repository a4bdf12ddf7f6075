"""Groups on which nothing is done."""
from datetime import timedelta

import torch.distributed as dist

_machine = None
_read = None


def setup(args):
    dist.init_process_group(args.backend, timeout=timedelta(minutes=args.minutes))


def given_to_nobody_ok(ranks):
    dist.new_group(ranks)


def kept_for_nobody_ok(parts, mine):
    global _machine
    for i, ranks in enumerate(parts):
        made = dist.new_group(ranks)
        if i == mine:
            _machine = made


def kept_bad(parts, mine):
    global _read
    for i, ranks in enumerate(parts):
        made = dist.new_group(ranks)  # expect: [timeout-not-passed-on]
        if i == mine:
            _read = made


def wait():
    dist.barrier(group=_read)


_counted = None


def kept_to_count_ok(parts, mine):
    global _counted
    assert _counted is None
    for i, ranks in enumerate(parts):
        made = dist.new_group(ranks)
        if i == mine:
            _counted = made


def size_of_machine():
    return 1 if _counted is None else dist.get_world_size(group=_counted)
