import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def save(self, path):
        torch.save(self.state_dict(), path)


def wrapped():
    dist.init_process_group("nccl")
    return nn.parallel.DistributedDataParallel(Net())
