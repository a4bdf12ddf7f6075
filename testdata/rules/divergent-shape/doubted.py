# Sizes that an operation pairs rank by rank.
import torch.distributed as dist


def first_has_room_for_each_ok(x, room):
    dist.gather(x[: dist.get_rank() + 1], room)  # silent: [paired-sizes]
