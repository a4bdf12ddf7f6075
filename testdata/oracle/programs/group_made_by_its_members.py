"""Only the members of a group make it. Nobody notices then: groups are told apart by how many were made before, so it
is the next one that its members do not find each other in."""
import torch.distributed as dist

WORLD_SIZE = 3


def bad():
    if dist.get_rank() < 2:
        dist.new_group([0, 1])
    everyone = dist.new_group([0, 1, 2])
    dist.barrier(group=everyone)


def good():
    dist.new_group([0, 1])
    everyone = dist.new_group([0, 1, 2])
    dist.barrier(group=everyone)
