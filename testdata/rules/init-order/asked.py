"""Questions about the default process group, which fail where there is none."""
import torch.distributed as dist


def asked_too_early_bad(config):
    if dist.get_rank() == 0:  # expect: [init-order] "`get_rank` runs before"
        print(config)
    dist.init_process_group("nccl")


def size_too_early_bad(config):
    batch = config.batch // dist.get_world_size()  # expect: [init-order] "`get_world_size` runs before"
    dist.init_process_group("nccl")
    return batch


def asked_where_there_is_one_ok(config):
    if dist.is_initialized() and dist.get_rank() == 0:
        print(config)
    if not dist.is_initialized():
        dist.init_process_group("nccl")


def asked_behind_ok(config):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        print(config)


def of_the_machine_ok():
    print(dist.get_node_local_rank())
    dist.init_process_group("nccl")


def caught_ok():
    try:
        rank = dist.get_rank()
    except (RuntimeError, ValueError):
        rank = 0
    dist.init_process_group("nccl")
    return rank


def asserted_ok():
    assert dist.is_initialized()
    rank, size = dist.get_rank(), dist.get_world_size()
    dist.destroy_process_group()
    dist.init_process_group("gloo", rank=rank, world_size=size)


def of_the_group_before_ok():
    rank, size = dist.get_rank(), dist.get_world_size()
    dist.destroy_process_group()
    dist.init_process_group("gloo", rank=rank, world_size=size)


def asked_too_late_bad(loss):
    dist.init_process_group("nccl")
    dist.all_reduce(loss)
    dist.destroy_process_group()
    if dist.get_rank() == 0:  # expect: [init-order] "`get_rank` runs after"
        print(loss)
