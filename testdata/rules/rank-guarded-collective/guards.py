"""Guards on the rank in the forms in which training scripts write them."""
import os
import sys

import torch
import torch.distributed as dist


def world_rank_bad(metrics):
    if dist.get_rank() == 0:
        dist.all_reduce(metrics)  # expect: [rank-guarded-collective] "`all_reduce`"
        print(metrics)


def note_on_the_guard_bad(state, out):
    if dist.get_rank() == 0:  # expect-note: "rank"
        dist.all_gather_object(out, state)  # expect: [rank-guarded-collective] "`all_gather_object`"


def local_variable_bad(loss):
    rank = dist.get_rank()
    is_master = rank == 0
    if is_master:
        dist.reduce(loss, dst=0)  # expect: [rank-guarded-collective] "`reduce`"
    return loss


def environment_rank_bad(loss):
    if int(os.environ["RANK"]) == 0:
        dist.all_reduce(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def local_rank_bad():
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    if local_rank == 0:
        os.makedirs("cache", exist_ok=True)
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def first_half_bad(x):
    if dist.get_rank() < dist.get_world_size() // 2:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def all_but_first_bad(x):
    if dist.get_rank() > 0:
        dist.broadcast(x, src=0)  # expect: [rank-guarded-collective] "`broadcast`"
    return x


def conjunction_bad(x, step, interval):
    if step % interval == 0 and dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def parity_bad(x):
    if dist.get_rank() % 2:
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"


def conditional_expression_bad(x):
    verbose = True if dist.get_rank() == 0 else False
    if verbose:
        gathered = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(gathered, x)  # expect: [rank-guarded-collective] "`all_gather`"
        print(gathered)


def elif_arm_bad(x, mode):
    if mode == "quiet":
        return
    elif dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
        print(x)


def one_of_two_in_guard_bad(x, y):
    dist.all_reduce(x)
    if dist.get_rank() == 0:
        dist.all_reduce(y)  # expect: [rank-guarded-collective] "`all_reduce`"


def both_guarded_calls_are_one_finding_bad(x, y):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
        dist.all_reduce(y)
        dist.barrier()


def reduce_then_print_ok(metrics):
    dist.all_reduce(metrics)
    if dist.get_rank() == 0:
        print(metrics)


def uniform_condition_ok(metrics, step, interval):
    if step % interval == 0:
        dist.all_reduce(metrics)


def guard_that_is_always_true_ok(x):
    if dist.get_rank() >= 0:
        dist.all_reduce(x)


def guard_that_is_never_true_ok(x):
    if dist.get_rank() >= dist.get_world_size():
        dist.all_reduce(x)


def rank_only_in_the_arguments_ok(x):
    dist.all_reduce(x * (dist.get_rank() + 1))


def same_call_in_both_arms_ok(x, y):
    if dist.get_rank() == 0:
        dist.broadcast(x, src=0)
    else:
        dist.broadcast(y, src=0)


def guard_around_local_work_ok(model, path):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    dist.barrier()


def complementary_guards_ok(prepare):
    rank = dist.get_rank()
    if rank != 0:
        dist.barrier()
    prepare()
    if rank == 0:
        dist.barrier()


def exit_without_peers_ok(x):
    dist.all_reduce(x)
    if dist.get_rank() == 0:
        print(x)
        sys.exit(0)
