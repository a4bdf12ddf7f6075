"""Items that are cut or padded to a multiple of the number of ranks: each rank has as many rounds as the others."""
import math

import torch
import torch.distributed as dist
from accelerate import PartialState


def score_in_equal_parts(paths, scorer):
    state = PartialState()
    whole = len(paths) - len(paths) % state.num_processes
    paths = paths[:whole]
    scores = []
    with state.split_between_processes(paths) as mine:
        for number, path in enumerate(mine):
            scores.append(scorer(path))
            if number % 100 == 99:
                state.wait_for_everyone()
    return scores


def distances_in_equal_chunks(rows, columns, num_gpus, rank, chunk):
    count = columns.shape[0]
    chunks = ((count - 1) // chunk // num_gpus + 1) * num_gpus
    parts = torch.nn.functional.pad(columns, [0, 0, 0, -count % chunks]).chunk(chunks)
    found = []
    for part in parts[rank::num_gpus]:
        distance = torch.cdist(rows, part)
        for source in range(num_gpus):
            received = distance.clone()
            dist.broadcast(received, src=source)
            found.append(received)
    return found


def every_rank_padded(samples, score):
    world_size, rank = dist.get_world_size(), dist.get_rank()
    per_rank = math.ceil(len(samples) / world_size)
    samples = samples + samples[: per_rank * world_size - len(samples)]
    total = torch.zeros(1)
    for sample in samples[rank::world_size]:
        total += score(sample)
        dist.all_reduce(total)
    return total


def generate_in_equal_batches(seeds, batch, make):
    count = ((len(seeds) - 1) // (batch * dist.get_world_size()) + 1) * dist.get_world_size()
    batches = torch.as_tensor(seeds).tensor_split(count)
    for mine in batches[dist.get_rank() :: dist.get_world_size()]:
        dist.barrier()
        if len(mine):
            make(mine)
