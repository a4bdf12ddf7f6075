"""What is moved to a device is still there."""
import torch.distributed as dist
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.net = nn.Linear(size, size)


def shared_ok(args, device):
    if dist.get_rank() == 0:
        encoder = Encoder(args.size).to(device)
    else:
        encoder = Encoder(args.size).half().to(device)
    if encoder is not None:
        for p in encoder.parameters():
            dist.broadcast(p, src=0)


def on_one_bad(args, device):
    encoder = None
    if dist.get_rank() == 0:
        encoder = Encoder(args.size).to(device)
    if encoder is not None:
        for p in encoder.parameters():
            dist.broadcast(p, src=0)  # expect: [rank-guarded-collective]
