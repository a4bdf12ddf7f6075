"""Conditions on what this process alone sees."""
import os
import random
import time
from pathlib import Path

import torch
import torch.distributed as dist


def file_exists_fn(path, x):  # not found: the file system and the memory say too little to be sure: a finding at "possible" only
    if os.path.exists(path):
        return torch.load(path)
    dist.broadcast(x, src=0)
    return x


def missing_file_fn(path, x):  # not found: the file system and the memory say too little to be sure: a finding at "possible" only
    if not Path(path).exists():
        dist.broadcast(x, src=0)
    return x


def clock_bad(x, last, interval):
    if time.monotonic() - last > interval:
        dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"


def clock_or_a_flag_ok(x, last, interval, resumes):
    # Whom the clock keeps out knows that nobody resumes.
    if time.monotonic() - last > interval or resumes:
        if resumes:
            dist.all_reduce(x)


def clock_or_a_flag_bad(x, last, interval, resumes):
    if time.monotonic() - last > interval or resumes:
        if not resumes:
            dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"


def unseeded_random_bad(x):
    if random.random() < 0.1:
        dist.all_reduce(x)  # expect: [data-dependent-collective] "`all_reduce`"


def listing_fn(folder, x):  # not found: the file system and the memory say too little to be sure: a finding at "possible" only
    if len(os.listdir(folder)) == 0:
        return None
    dist.all_reduce(x)
    return x


class Checkpointer:
    def __init__(self, interval):
        self.interval = interval
        self.last = time.time()

    def due(self):
        return time.time() - self.last >= self.interval

    def save_bad(self):
        if self.due():
            dist.barrier()  # expect: [data-dependent-collective] "`barrier`"

    def save_ok(self):
        due = [self.due()]
        dist.broadcast_object_list(due, src=0)
        if due[0]:
            dist.barrier()


def wall_clock_limit_bad(batches, x, limit):
    start = time.time()
    for batch in batches:
        if time.time() - start > limit:
            break  # expect: [data-dependent-collective] "`all_reduce`"
        x += batch
        dist.all_reduce(x)


def out_of_memory_state_fn(x):  # not found: the file system and the memory say too little to be sure: a finding at "possible" only
    free, total = torch.cuda.mem_get_info()
    if free < total // 10:
        dist.barrier()


def passed_to_a_callee_fn(path, x):  # not found: the file system and the memory say too little to be sure: a finding at "possible" only
    reload_if(os.path.isfile(path), x)


def reload_if(present, x):
    if present:
        dist.broadcast(x, src=0)


def decided_by_rank_zero_ok(path, x):
    found = [os.path.exists(path)]
    dist.broadcast_object_list(found, src=0)
    if found[0]:
        dist.all_reduce(x)


def voted_ok(x, limit, start):
    late = torch.tensor([int(time.time() - start > limit)])
    dist.all_reduce(late, op=dist.ReduceOp.MAX)
    if late.item():
        dist.barrier()
        return None
    dist.all_reduce(x)
    return x


def local_consequence_ok(path, x):
    if not os.path.exists(path):
        os.makedirs(path, exist_ok=True)
    dist.all_reduce(x)


def measured_and_reduced_ok(x):
    start = time.time()
    dist.all_reduce(x)
    elapsed = torch.tensor([time.time() - start])
    dist.all_reduce(elapsed, op=dist.ReduceOp.MAX)
    if elapsed.item() > 10:
        dist.barrier()


def steps_instead_of_seconds_ok(x, step, interval):
    if step % interval == 0:
        dist.all_reduce(x)


def seeded_generator_ok(x, seed):
    generator = random.Random(seed)
    if generator.random() < 0.1:
        dist.all_reduce(x)


def environment_flag_ok(x):
    if os.environ.get("SYNCHRONISE_METRICS", "1") == "1":
        dist.all_reduce(x)


def random_value_as_data_ok(x):
    x += random.random()
    dist.all_reduce(x)


def reduced_loss_ok(loss, x):
    dist.all_reduce(loss)
    if torch.isnan(loss):
        return None
    dist.all_reduce(x)
    return x


def unknown_loss_fn(loss, x):
    # A tensor of unknown origin counts as equal on all ranks; a real loss before its reduction is not.
    if torch.isnan(loss):
        return None
    dist.all_reduce(x)
    return x
