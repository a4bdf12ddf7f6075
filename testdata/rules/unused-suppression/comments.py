"""Suppression comments that suppress nothing. The application reports them."""
import torch.distributed as dist


def nothing_to_suppress_bad(x):
    dist.all_reduce(x)  # ranklint: ignore[rank-guarded-collective]  # expect: [unused-suppression] "`rank-guarded-collective`"


def other_rule_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[divergent-root]  # expect: [unused-suppression] "`divergent-root`"  # expect: [rank-guarded-collective] "`all_reduce`"


def one_of_two_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[rank-guarded-collective, divergent-root]  # expect: [unused-suppression] "`divergent-root`"


def used_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[rank-guarded-collective] a job of one process


def used_by_code_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[RL101] a job of one process


def own_line_ok(x):
    if dist.get_rank() == 0:
        # ranklint: ignore[rank-guarded-collective] a job of one process
        dist.all_reduce(x)


def other_tool_ok(x):
    dist.all_reduce(x)  # noqa: E501


def prose_ok(x):
    # The word ranklint in a sentence is no suppression.
    dist.all_reduce(x)
