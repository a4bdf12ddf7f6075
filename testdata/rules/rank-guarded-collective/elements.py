# Elements of loops over two things at once, and what has a default.
import torch.distributed as dist
from torch.distributed.tensor import distribute_tensor


def both_sides_meet_ok(full, sharded, model):
    if dist.get_rank() == 0:
        for (name, tensor), (_, part) in zip(full.items(), sharded.items()):
            dist.broadcast(tensor, src=0)
            if hasattr(part, "device_mesh"):
                model[name] = distribute_tensor(tensor, part.device_mesh, part.placements)
    else:
        for name, part in sharded.items():
            tensor = part.new_empty(part.size())
            dist.broadcast(tensor, src=0)
            if hasattr(part, "device_mesh"):
                model[name] = distribute_tensor(tensor, part.device_mesh, part.placements)  # silent: [contradicts-itself]


class Peers:
    def __init__(self):
        self.rank = dist.get_rank()

    def is_passive(self, rank=None):
        rank = self.rank if rank is None else rank
        return rank % 2 == 0

    def connect_ok(self, x):
        for rank in range(dist.get_world_size()):
            if not self.is_passive(rank):
                dist.all_reduce(x)
            if not self.is_passive((rank + 1) % dist.get_world_size()):
                dist.all_reduce(x)

    def connect_bad(self, x):
        if not self.is_passive():
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
