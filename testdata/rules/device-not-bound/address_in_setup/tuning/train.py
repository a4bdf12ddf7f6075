import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from utils import *


def main_ok(net):
    setup()
    rank = dist.get_rank()
    return DistributedDataParallel(net, device_ids=[rank])  # silent: [started-on-one-machine]
