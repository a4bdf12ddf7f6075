# Who is said to issue a collective is who does: the ranks for which the guard holds, whatever rank stood for them.
import os

import torch.distributed as dist
from megatron.core import parallel_state


def first_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 0 and not by the other ranks"


def all_but_first_bad(x):
    if dist.get_rank() != 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by every rank but 0 and not by rank 0"


def third_bad(x):
    rank = dist.get_rank()
    if rank == 2:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 2 and not by the other ranks"


def below_bad(x):
    rank = dist.get_rank()
    if rank < 4:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 0-3 and not by the other ranks"


def up_to_bad(x):
    rank = dist.get_rank()
    if rank <= 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 0 and 1 and not by the other ranks"


def above_bad(x):
    rank = dist.get_rank()
    if rank > 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks from 2 on and not by ranks 0 and 1"


def upper_half_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if rank >= n // 2:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks where `rank >= n // 2` and not by the other ranks"


def even_bad(x):
    if dist.get_rank() % 2 == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by even ranks and not by odd ranks"


def odd_bad(x):
    if dist.get_rank() % 2 == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by odd ranks and not by even ranks"


def every_fourth_bad(x):
    if dist.get_rank() % 4 == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks where `dist.get_rank() % 4 == 0` and not by the other ranks"


def listed_bad(x):
    if dist.get_rank() in (0, 3):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 0 and 3 and not by the other ranks"


def not_listed_bad(x):
    if dist.get_rank() not in (0, 1):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks from 2 on and not by ranks 0 and 1"


def last_bad(x):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if rank == world_size - 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by the last rank and not by the other ranks"


def all_but_last_bad(x):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if rank < world_size - 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by every rank but the last and not by the last rank"


def both_ends_bad(x):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if rank == 0 or rank == world_size - 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 0 and the last rank and not by the other ranks"


def between_bad(x):
    rank = dist.get_rank()
    if 0 < rank < 3:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 1 and 2 and not by the other ranks"


def negated_bad(x):
    rank = dist.get_rank()
    if not (rank == 0 or rank == 1):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks from 2 on and not by ranks 0 and 1"


def with_a_setting_bad(x, verbose):
    rank = dist.get_rank()
    if rank == 1 and verbose:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 1 and not by the other ranks"


def nested_bad(x):
    rank = dist.get_rank()
    if rank % 2 == 0:
        if rank < 3:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 0 and 2 and not by odd ranks"


def named_bad(x):
    is_main_process = dist.get_rank() == 0
    if is_main_process:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 0 and not by the other ranks"


def environment_bad(x):
    if int(os.environ["RANK"]) == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 0 and not by the other ranks"


def node_bad(x):
    if int(os.environ["LOCAL_RANK"]) == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks with local rank 0 and not by the other ranks"


def tensor_parallel_bad(x):
    if parallel_state.get_tensor_model_parallel_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks with `tp` rank 0 and not by the other ranks"


def first_stage_bad(x):
    if parallel_state.is_pipeline_first_stage():
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks with `pp` rank 0 and not by the other ranks"


def last_stage_bad(x):
    if parallel_state.is_pipeline_last_stage():
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks with the last `pp` rank and not by the other ranks"


def two_axes_bad(x):
    if parallel_state.get_tensor_model_parallel_rank() == 0 and parallel_state.get_pipeline_model_parallel_rank() == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks with `tp` rank 0 and `pp` rank 1 and not by ranks with `tp` rank 0 and any `pp` rank but 1"


def of_a_group_bad(x):
    if dist.get_rank() == 0 and parallel_state.get_tensor_model_parallel_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 0 with `tp` rank 0 and not by ranks other than 0"


def second_block_bad(x):
    if dist.get_rank() // 4 == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 4-7 and not by the other ranks"


def behind_the_first_block_bad(x):
    if dist.get_rank() // 8:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks from 8 on and not by ranks 0-7"


def one_bit_bad(x):
    if dist.get_rank() & 8:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks where `dist.get_rank() & 8` and not by the other ranks"


def beyond_a_sum_bad(x):
    if (dist.get_rank() - 6) * 2 > 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks from 7 on and not by ranks 0-6"


def parts_in_a_callee_bad(x):
    issue(x, dist.get_rank() % 2 == 1)  # expect: [rank-guarded-collective] "issued by odd ranks and not by even ranks"


def issue(x, mine):
    if mine:
        dist.all_reduce(x)


def shifted_bad(x):
    if dist.get_rank() >> 1 == 1:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 2 and 3 and not by the other ranks"


def masked_bad(x):
    if (1 << dist.get_rank()) & 0b0110:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks where `(1 << dist.get_rank()) & 0b0110` and not by the other ranks"


def frozen_bad(x):
    if dist.get_rank() in frozenset((0, 3)):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 0 and 3 and not by the other ranks"


def sliced_bad(x):
    if dist.get_rank() in range(8)[1::2]:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 1, 3, 5 and 7 and not by the other ranks"


def last_of_a_list_bad(x):
    if dist.get_rank() in [0, 2, 4][-1:]:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by rank 4 and not by the other ranks"


def share_bad(x):
    rank, n = dist.get_rank(), dist.get_world_size()
    if rank / n >= 0.75:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks where `rank / n >= 0.75` and not by the other ranks"


def for_all_that_are_ok(x):
    rank = dist.get_rank()
    if rank >> 0 == rank and ~rank < 0 and round(rank) == rank and abs(rank) == rank and 1 << rank and 2**rank:
        dist.all_reduce(x)
