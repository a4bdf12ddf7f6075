# The library's own time-out, written out, is none of the program's.
from datetime import timedelta

import torch.distributed as dist
from torch.distributed.distributed_c10d import default_pg_timeout


def start_bad(ranks):
    dist.init_process_group("nccl", timeout=timedelta(hours=2))
    return dist.new_group(ranks, timeout=default_pg_timeout)  # expect: [timeout-not-passed-on] "the library's own"
