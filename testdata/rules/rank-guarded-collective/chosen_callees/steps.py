# Whom a call calls is chosen by the rank, in a function that another module calls.
import torch.distributed as dist


def chosen_bad(x, y):
    act = (lambda: dist.all_reduce(x)) if dist.get_rank() == 0 else (lambda: None)
    act()  # expect-note: "rank"
    dist.all_reduce(y)  # expect: [divergent-collective-order] "once more by rank 0"


def reduced(x):
    dist.all_reduce(x)


def left_alone(x):
    pass


def chosen_by_name_bad(x):
    step = reduced if dist.get_rank() == 0 else left_alone
    step(x)  # expect: [rank-guarded-collective] "all_reduce"


def chosen_by_flag_ok(x, fast):
    step = reduced if fast else left_alone
    step(x)


def both_reduce_ok(x):
    step = (lambda: dist.all_reduce(x)) if dist.get_rank() == 0 else (lambda: reduced(x))
    step()


def given_step(step, x):
    step(x)
