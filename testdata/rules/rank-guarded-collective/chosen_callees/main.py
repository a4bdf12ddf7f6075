import torch.distributed as dist

from steps import both_reduce_ok, chosen_bad, chosen_by_flag_ok, chosen_by_name_bad, given_step, left_alone, reduced


def train(x, y, fast):
    chosen_bad(x, y)
    chosen_by_name_bad(x)
    chosen_by_flag_ok(x, fast)
    both_reduce_ok(x)


def gives_bad(x):
    given_step(reduced if dist.get_rank() == 0 else left_alone, x)  # expect: [rank-guarded-collective] "all_reduce"
