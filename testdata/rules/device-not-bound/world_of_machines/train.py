"""As many ranks as several machines have devices."""
import torch
import torch.distributed as dist

from part import wrap_bad


def main(net, machines):
    dist.init_process_group("nccl", world_size=machines * torch.cuda.device_count())
    return wrap_bad(net)
