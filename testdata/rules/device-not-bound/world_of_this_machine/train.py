"""As many ranks as this machine has devices: the part that it imports works on one machine, too."""
import torch
import torch.distributed as dist

from part import wrap_ok


def main(net):
    dist.init_process_group("nccl", world_size=torch.cuda.device_count())
    return wrap_ok(net)
