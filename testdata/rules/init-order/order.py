import torch.distributed as dist


def twice_bad():
    dist.init_process_group("nccl")
    dist.init_process_group("gloo")  # expect: [init-order] "a second time"


def behind_the_end_bad(loss):
    dist.init_process_group("nccl")
    dist.destroy_process_group()
    dist.all_reduce(loss)  # expect: [init-order] "`all_reduce` runs after the default process group is destroyed"


def too_early_bad(loss):
    dist.barrier()  # expect: [init-order] "before the default process group is made"
    dist.init_process_group("nccl")


def once_ok(loss):
    if not dist.is_initialized():
        dist.init_process_group("nccl")
    dist.all_reduce(loss)
    dist.destroy_process_group()


def again_ok(loss):
    dist.init_process_group("nccl")
    dist.destroy_process_group()
    dist.init_process_group("gloo")
    dist.all_reduce(loss)


def sub_group_ok(loss, group):
    dist.all_reduce(loss, group=group)
    dist.destroy_process_group(group)
    dist.barrier()


def either_ok(gpu):
    if gpu:
        dist.init_process_group("nccl")
    else:
        dist.init_process_group("gloo")
    dist.barrier()


def asked_ok(loss, convert):
    dist.destroy_process_group()
    convert()
    if dist.is_initialized():
        dist.all_reduce(loss)
