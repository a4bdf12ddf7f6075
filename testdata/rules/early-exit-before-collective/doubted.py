# Ranks that leave early by a number that is their own anyway.
import torch.distributed as dist


class Shard:
    def __init__(self, shards):
        self.number = dist.get_rank() % shards

    def save_ok(self, x):
        if dist.get_rank() != self.number:
            return  # silent: [own-number]
        dist.all_reduce(x)


def built_once_for_a_key_ok(cache, x):
    key = dist.get_rank()
    if cache.made_for == key:
        return cache.made  # silent: [remembers-key]
    cache.made_for = key
    cache.made = dist.all_reduce(x)
    return cache.made
