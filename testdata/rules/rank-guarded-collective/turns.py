"""Turns, with a way to do without them."""
import torch.distributed as dist


def write_in_turns_ok(rank, group, in_turns, parts, index):
    for turn in range(4 if in_turns else 1):
        if dist.get_rank() == turn or not in_turns:
            dist.gather_object(index, parts)
