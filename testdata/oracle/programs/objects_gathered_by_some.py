"""Results are gathered by the ranks that have some."""
import torch.distributed as dist

WORLD_SIZE = 3


def bad():
    results = list(range(dist.get_rank()))
    if results:
        box = [None] * dist.get_world_size()
        dist.all_gather_object(box, results)


def good():
    results = list(range(dist.get_rank()))
    box = [None] * dist.get_world_size()
    dist.all_gather_object(box, results)
