"""PaddlePaddle's collectives, by the names that PyTorch has for them too."""
import paddle
import paddle.distributed as dist


def reduce_on_one_bad(loss):
    if dist.get_rank() == 0:
        dist.all_reduce(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def evaluate_on_one_bad(results, result):
    if paddle.distributed.ParallelEnv().local_rank == 0:
        dist.all_gather(results, result)  # expect: [rank-guarded-collective] "`all_gather`"


def agreed_ok(flag):
    dist.broadcast(flag, src=0)
    if flag:
        dist.barrier()


def members_alone_bad(ranks):
    if dist.get_rank() in ranks:
        dist.new_group(ranks)  # expect: [group-creation-not-by-all] "`new_group`"
