"""A bar on one rank does not change what the loop goes through."""
import torch.distributed as dist
from tqdm.auto import tqdm


def bar_on_one_rank_ok(loader, x, most):
    batches = tqdm(enumerate(loader), total=most) if dist.get_rank() == 0 else enumerate(loader)
    for i, batch in batches:
        if i >= most:
            break
        dist.all_reduce(x)


def counted_ok(loader, x, most):
    batches = tqdm(loader) if dist.get_rank() == 0 else loader
    steps = 0
    for batch in batches:
        dist.all_reduce(x)
        steps += 1
        if steps == most:
            break


def part_of_the_ranks_bad(loader, x):
    for batch in tqdm(range(dist.get_rank(), 10)):  # expect: [rank-dependent-loop] "`tqdm(range(dist.get_rank(), 10))` has "
        dist.all_reduce(x)
