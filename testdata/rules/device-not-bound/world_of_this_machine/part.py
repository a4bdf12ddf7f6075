import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def wrap_ok(net):
    return DistributedDataParallel(net, device_ids=[dist.get_rank()])  # silent: [started-on-one-machine]
