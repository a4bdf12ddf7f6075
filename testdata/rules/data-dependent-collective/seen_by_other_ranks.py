"""What a rank sees alone decides on ranks other than the first, or beside what all ranks share."""
import time

import torch.distributed as dist
from megatron.core import parallel_state as mpu


def last_stage_looks_at_its_clock_bad(x, until):
    if mpu.get_tensor_model_parallel_rank() == 1 and time.time() > until:
        dist.all_reduce(x, group=mpu.get_data_parallel_group())  # expect: [data-dependent-collective] "`all_reduce` on `dp`"


def does_so_either_way_ok(x, until):
    if dist.get_rank() == 1 and time.time() > until:
        print("late")
    dist.barrier()


# Where the flag holds nobody asks for the clock.
def asked_for_nothing_ok(x, until, always, wanted):
    if always:
        if (time.time() > until or always) and wanted:
            dist.barrier()


def never_asked_ok(x, until, always):
    if always:
        return
    if always and time.time() > until:
        dist.barrier()
