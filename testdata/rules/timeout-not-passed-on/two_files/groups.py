import torch.distributed as dist


def make_bad(ranks):
    return dist.new_group(ranks)  # expect: [timeout-not-passed-on]


def make_ok(ranks, timeout):
    return dist.new_group(ranks, timeout=timeout)
