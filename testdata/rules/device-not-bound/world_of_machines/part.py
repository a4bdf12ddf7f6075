import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def wrap_bad(net):
    return DistributedDataParallel(net, device_ids=[dist.get_rank()])  # expect: [device-not-bound]
