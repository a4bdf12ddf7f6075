"""Rule ids that do not exist. The application reports them."""
import torch.distributed as dist


def misspelt_bad(x):
    dist.all_reduce(x)  # ranklint: ignore[rank-guarded-colective]  # expect: [unknown-rule] "`rank-guarded-colective`"


def unknown_code_bad(x):
    dist.all_reduce(x)  # ranklint: ignore[RL1999]  # expect: [unknown-rule] "`RL1999`"


def one_of_two_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[rank-guarded-collective, no-such-rule]  # expect: [unknown-rule] "`no-such-rule`"


def known_id_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[rank-guarded-collective]


def known_code_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[RL101]


def other_case_of_letters_ok(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # ranklint: ignore[rl101]


def other_tool_ok(x):
    dist.all_reduce(x)  # noqa: XYZ999


def no_comment_ok(x):
    dist.all_reduce(x)
