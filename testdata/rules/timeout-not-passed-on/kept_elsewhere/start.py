"""Groups that are kept in the variables of another file."""
from datetime import timedelta

import torch.distributed as dist

import comm


def setup(args):
    dist.init_process_group(args.backend, timeout=timedelta(minutes=args.minutes))


def kept_to_count_ok(parts, mine):
    assert comm._machine is None
    for i, ranks in enumerate(parts):
        made = dist.new_group(ranks)
        if i == mine:
            comm._machine = made


def kept_bad(parts, mine):
    for i, ranks in enumerate(parts):
        made = dist.new_group(ranks)  # expect: [timeout-not-passed-on]
        if i == mine:
            comm._neighbours = made
