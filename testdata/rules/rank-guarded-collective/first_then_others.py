"""One rank's turn before the others': whoever enters waits for all the others to enter."""
import os

import envs
import torch.distributed as dist
from accelerate import Accelerator
from helpers import FirstRankPerNode

accelerator = Accelerator()


def download_by_the_main_process_bad(path):
    if accelerator.is_main_process:
        with accelerator.main_process_first():  # expect: [rank-guarded-collective] "`barrier`"
            fetch(path)


def download_on_local_rank_zero_bad(path):
    if int(os.environ["LOCAL_RANK"]) == 0:
        with FirstRankPerNode():  # expect: [rank-guarded-collective] "`barrier`"
            fetch(path)


def download_ok(path):
    with accelerator.main_process_first():
        fetch(path)
    with FirstRankPerNode():
        fetch(path)


def prepared_by_setting_ok(config):
    if config.prepare:
        with accelerator.local_main_process_first():
            fetch(config.path)


def rank_of_the_launcher_bad():
    if envs.RANK == 0:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
