"""In a test what is only likely is merely possible: what runs the tests decides what each rank is given."""
import torch.distributed as dist


def test_sum_ok(loss):
    dist.all_reduce(loss, async_op=True)  # silent: [in-test]
    return loss


def test_sum_of_one_rank_bad(loss):
    if dist.get_rank() == 0:
        dist.all_reduce(loss)  # expect: [rank-guarded-collective] "`all_reduce`"
