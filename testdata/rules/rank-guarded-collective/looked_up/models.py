import torch.distributed as dist
from torch import nn


class ByName(nn.Module):
    def forward_bad(self, x):
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective]
