import torch.distributed as dist
from torch.distributed.tensor import DTensor, Replicate


class Experts:
    def dump_bad(self):
        try:
            rank = dist.get_rank()
        except Exception:
            rank = 0
        if rank == 0:

            def whole(t):
                if isinstance(t, DTensor):
                    return t.redistribute(placements=[Replicate()] * t.device_mesh.ndim).to_local()
                return t

            print(whole(self.up))  # expect: [implicit-redistribute] "only rank 0 gets there"
