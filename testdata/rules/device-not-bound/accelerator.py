"""DeepSpeed's accelerator binds the kind of device that is there."""
import os

import deepspeed
from deepspeed.accelerator import get_accelerator


def by_the_global_rank_bad():
    get_accelerator().set_device(int(os.environ["RANK"]))  # expect: [device-not-bound] "global rank"
    deepspeed.init_distributed()


def by_the_local_rank_ok():
    get_accelerator().set_device(int(os.environ["LOCAL_RANK"]))
    deepspeed.init_distributed()
