"""A project's own context object, which is told in which group a rank is asked for."""
import enum

import torch.distributed as dist


class Mode(enum.Enum):
    ROW = "row"
    COLUMN = "column"
    PIPELINE = "pipeline"


class Context:
    def __init__(self):
        self._ranks = {}
        self._groups = {}

    def get_local_rank(self, mode):
        return self._ranks[mode]

    def is_first_rank(self, mode):
        return self.get_local_rank(mode) == 0

    def get_group(self, mode):
        return self._groups[mode]


context = Context()


def gather_row_of_first_column_ok(x):
    # All of a row share their place in the column.
    if context.get_local_rank(Mode.COLUMN) == 0:
        dist.all_reduce(x, group=context.get_group(Mode.ROW))


def reduce_rows_of_first_stage_ok(x):
    if context.is_first_rank(Mode.PIPELINE):
        dist.all_reduce(x, group=context.get_group(Mode.ROW))


def first_of_the_row_bad(x):
    if context.get_local_rank(Mode.ROW) == 0:
        dist.all_reduce(x, group=context.get_group(Mode.ROW))  # expect: [rank-guarded-collective] "`all_reduce` on `Mode.ROW`"


def first_rank_of_the_row_bad(x):
    if context.is_first_rank(Mode.ROW):
        dist.all_reduce(x, group=context.get_group(Mode.ROW))  # expect: [rank-guarded-collective] "`all_reduce` on `Mode.ROW`"
