"""Code that asks whether a worker of a data loader runs it."""
import torch.distributed as dist
import torch.utils.data


def is_worker():
    return torch.utils.data.get_worker_info() is not None


def read_once_ok(path):
    if dist.get_rank() == 0 and not is_worker():
        print(path)
        dist.barrier()
    else:
        if not is_worker():
            dist.barrier()
        print(path)


def read_by_one_bad(path):
    if dist.get_rank() == 0 and not is_worker():
        print(path)
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier`"
