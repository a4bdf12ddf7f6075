import torch.distributed as dist


def make_groups_ok(sp_size):
    world_size = dist.get_world_size()
    dp_size = world_size // sp_size
    assert dp_size * sp_size == world_size
    return dp_size


def gradient_share_ok(batch_size, world_size):
    return batch_size // world_size


def batches_ok(samples, sp_size):
    dp_size = dist.get_world_size() // sp_size
    return samples // dp_size
