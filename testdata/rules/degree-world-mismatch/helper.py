import torch.distributed as dist


def ensure_divisibility(number, by):
    if number % by != 0:
        raise ValueError(f"{number} is not a multiple of {by}")


class Groups:
    def __init__(self, sp_size):
        world_size = dist.get_world_size()
        ensure_divisibility(world_size, sp_size)
        self.dp_size = world_size // sp_size
