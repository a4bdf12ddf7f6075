"""Guards without an `if` statement."""
import torch.distributed as dist


def short_circuit_bad():
    dist.get_rank() == 0 and dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def short_circuit_or_bad(x):
    dist.get_rank() != 0 or dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def conditional_expression_bad(x):
    return dist.all_reduce(x) if dist.get_rank() == 0 else None  # expect: [rank-guarded-collective] "`all_reduce`"


def match_on_the_rank_bad(x):
    match dist.get_rank():
        case 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
        case _:
            pass


def named_expression_bad(x):
    if (rank := dist.get_rank()) == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return rank


def comprehension_condition_bad(tensors):
    return [dist.all_reduce(t) for t in tensors if dist.get_rank() == 0]  # expect: [rank-guarded-collective] "`all_reduce`"


def condition_evaluated_on_all_ranks_ok(x):
    work = dist.all_reduce(x, async_op=True)
    return work.wait() and dist.get_rank() == 0


def conditional_argument_ok(x, y):
    dist.broadcast(x if dist.get_rank() == 0 else y, src=0)


def default_for_rank_ok(x):
    scale = 1 if dist.get_rank() == 0 else 0
    dist.all_reduce(x * scale)


def comprehension_over_all_ok(tensors):
    return [dist.all_reduce(t) for t in tensors]
