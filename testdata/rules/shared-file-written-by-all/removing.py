"""What is removed from a folder that all ranks list."""
import os
import shutil
from pathlib import Path

import torch.distributed as dist


def each_of_a_listing_bad(folder):
    dist.barrier()
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))  # expect: [shared-file-written-by-all]


def prune(root, most):
    root = Path(root)
    checkpoints = [f for f in root.iterdir() if f.name.startswith("step_")]
    checkpoints.sort()
    for checkpoint in checkpoints[:-most]:
        shutil.rmtree(checkpoint)  # expect: [shared-file-written-by-all] "`checkpoint`"


def pruned_by_all(root):
    prune(root, 3)
    dist.barrier()


def each_its_share_ok(folder):
    dist.barrier()
    names = sorted(os.listdir(folder))
    for name in names[dist.get_rank()::dist.get_world_size()]:
        os.remove(os.path.join(folder, name))


def of_a_sampler_ok(folder, sampler):
    dist.barrier()
    names = sorted(os.listdir(folder))
    for i in sampler:
        os.remove(os.path.join(folder, names[i]))


def of_a_given_list_ok(folder, names):
    dist.barrier()
    for name in names:
        os.remove(os.path.join(folder, name))


def those_of_its_rank_ok(folder):
    dist.barrier()
    mine = f"rank{dist.get_rank()}_"
    for name in os.listdir(folder):
        if name.startswith(mine):
            os.remove(os.path.join(folder, name))
