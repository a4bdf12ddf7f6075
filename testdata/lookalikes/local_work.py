"""Rank 0 does what needs no other rank: logs, bars, files."""
import json
import logging
import os

import torch
import torch.distributed as dist
from tqdm import tqdm

import wandb

logger = logging.getLogger(__name__)


def rank0_print(*args):
    if dist.get_rank() == 0:
        print(*args)


def log_on_main(message):
    if dist.is_initialized() and dist.get_rank() != 0:
        return
    logger.info(message)


def train(batches, x):
    bar = tqdm(batches, disable=dist.get_rank() != 0)
    for step, batch in enumerate(bar):
        dist.all_reduce(x)
        if dist.get_rank() == 0:
            bar.set_postfix(loss=x.item())
            wandb.log({"loss": x.item()}, step=step)
        log_on_main("step done")
    rank0_print("done")
    dist.barrier()


def train_with_a_bar_on_one_rank(batches, x):
    if dist.get_rank() == 0:
        batches = tqdm(batches)
    for batch in batches:
        dist.all_reduce(x)


def save_then_meet(state, folder):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
        torch.save(state, os.path.join(folder, "state.pt"))
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump({"rank": dist.get_rank()}, file)
    dist.barrier()


def each_saves_its_own(state, folder):
    torch.save(state, os.path.join(folder, f"rank{dist.get_rank()}.pt"))
    dist.barrier()


def directory_before_use(folder):
    if not os.path.exists(folder) and dist.get_rank() == 0:
        os.makedirs(folder)
    dist.barrier()
    return os.path.join(folder, str(dist.get_rank()))


def start_tracker(config):
    run = None
    if dist.get_rank() == 0:
        run = wandb.init(config=config)
    dist.barrier()
    if run is not None:
        run.log({"started": 1})


def validate(metrics):
    dist.all_reduce(metrics)
    if dist.get_rank() == 0 and torch.isnan(metrics).any():
        logger.warning("metrics are not finite")
    return metrics


def time_it(x):
    if dist.get_rank() == 0:
        torch.cuda.synchronize()
    dist.all_reduce(x)


def gather_then_return(predictions):
    everyone = [None] * dist.get_world_size()
    dist.all_gather_object(everyone, predictions)
    if dist.get_rank() != 0:
        return None
    return [p for part in everyone for p in part]


def each_shifted_by_the_rank(x):
    shifted = [x + dist.get_rank(), x - dist.get_rank()]
    for number, part in enumerate(shifted, start=1):
        dist.all_reduce(part)
