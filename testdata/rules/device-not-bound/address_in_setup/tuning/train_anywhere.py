import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from anywhere import start


def main_bad(net):
    start()
    rank = dist.get_rank()
    return DistributedDataParallel(net, device_ids=[rank])  # expect: [device-not-bound]
