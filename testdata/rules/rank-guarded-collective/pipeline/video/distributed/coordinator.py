from typing import Optional

import torch
import torch.distributed as dist


class GroupCoordinator:
    """A process group and this process's place in it."""

    def __init__(self, member_lists, backend):
        self.rank = dist.get_rank()
        for members in member_lists:
            group = dist.new_group(members, backend=backend)
            if self.rank in members:
                self.ranks = members
                self.rank_in_group = members.index(self.rank)
                self.device_group = group
        self.world_size = len(self.ranks)

    @property
    def is_first_rank(self):
        return self.rank == self.ranks[0]

    def all_to_all(self, x, scatter_dim, gather_dim):
        if self.world_size == 1:
            return x
        pieces = [piece.contiguous() for piece in torch.tensor_split(x, self.world_size, scatter_dim)]
        received = [torch.empty_like(piece) for piece in pieces]
        dist.all_to_all(received, pieces, group=self.device_group)
        return torch.cat(received, dim=gather_dim)

    def broadcast_object(self, value, source=0):
        box = [value]
        dist.broadcast_object_list(box, src=self.ranks[source], group=self.device_group)
        return box[0]


_WORLD: Optional[GroupCoordinator] = None
_SP: Optional[GroupCoordinator] = None


def init_groups(sp_size):
    global _WORLD, _SP
    world_size = dist.get_world_size()
    _WORLD = GroupCoordinator([list(range(world_size))], "nccl")
    lists = [list(range(first, first + sp_size)) for first in range(0, world_size, sp_size)]
    _SP = GroupCoordinator(lists, "nccl")


def get_world_group() -> GroupCoordinator:
    assert _WORLD is not None, "world group is not initialised"
    return _WORLD


def get_sp_group() -> GroupCoordinator:
    assert _SP is not None, "sequence-parallel group is not initialised"
    return _SP
