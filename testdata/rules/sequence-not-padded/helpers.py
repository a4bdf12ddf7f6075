"""Functions that give back this rank's piece of what they are given."""
import torch
import torch.nn.functional as F
from parallel import get_sequence_parallel_rank, get_sequence_parallel_world_size, get_sp_group


def own_piece(x, dim=1):
    return torch.chunk(x, get_sequence_parallel_world_size(), dim=dim)[get_sequence_parallel_rank()]


def own_padded_piece(x, missing):
    x = F.pad(x, (0, 0, 0, missing))
    pieces = torch.chunk(x, get_sequence_parallel_world_size(), dim=1)
    return pieces[get_sequence_parallel_rank()]


def first_and_own(x):
    mine = torch.chunk(x, get_sequence_parallel_world_size(), dim=1)[get_sequence_parallel_rank()]
    print(mine.shape)
    return x[0]


class Model:
    def __init__(self, blocks):
        self.blocks = blocks

    def forward_bad(self, x):
        x = own_piece(x)  # expect: [sequence-not-padded]
        for block in self.blocks:
            x = block(x)
        return get_sp_group().all_gather(x, dim=1)

    def piece(self, x):
        pieces = x.chunk(get_sequence_parallel_world_size(), dim=1)
        mine = pieces[get_sequence_parallel_rank()]
        return mine.contiguous()

    def forward_by_method_bad(self, x):
        x = self.piece(x)  # expect: [sequence-not-padded]
        return get_sp_group().all_gather(self.blocks(x), dim=1)  # expect-note: "equal"


class Others:
    def __init__(self, blocks):
        self.blocks = blocks

    def filled_up_ok(self, x, missing):
        x = own_piece(F.pad(x, (0, 0, 0, missing)))
        return get_sp_group().all_gather(self.blocks(x), dim=1)

    def padded_ok(self, x, missing):
        x = own_padded_piece(x, missing)
        return get_sp_group().all_gather(self.blocks(x), dim=1)

    def another_part_ok(self, x):
        x = first_and_own(x)
        return get_sp_group().all_gather(self.blocks(x), dim=1)
