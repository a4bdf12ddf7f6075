"""Operations that do not look alike, or do not look like communication at all."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
import torch.distributed.checkpoint as dcp
import torch.distributed.nn.functional as dist_nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel


def gather_to_main_bad(x, out):
    if dist.get_rank() == 0:
        dist.gather(x, out, dst=0)  # expect: [rank-guarded-collective] "`gather`"


def scatter_bad(x, chunks):
    if dist.get_rank() == 0:
        dist.scatter(x, chunks, src=0)  # expect: [rank-guarded-collective] "`scatter`"


def all_to_all_bad(out, x):
    if dist.get_rank() == 0:
        dist.all_to_all_single(out, x)  # expect: [rank-guarded-collective] "`all_to_all`"


def reduce_scatter_bad(out, x):
    if dist.get_rank() == 0:
        dist.reduce_scatter_tensor(out, x)  # expect: [rank-guarded-collective] "`reduce_scatter`"


def objects_bad(config):
    box = [config]
    if dist.get_rank() == 0:
        dist.broadcast_object_list(box, src=0)  # expect: [rank-guarded-collective] "`broadcast_object_list`"
    return box[0]


def monitored_barrier_bad():
    if dist.get_rank() == 0:
        dist.monitored_barrier()  # expect: [rank-guarded-collective] "`monitored_barrier`"


def asynchronous_bad(x):
    if dist.get_rank() == 0:
        work = dist.all_reduce(x, async_op=True)  # expect: [rank-guarded-collective] "`all_reduce`"
        work.wait()


def functional_bad(x, group):
    if dist.get_rank() == 0:
        x = funcol.all_reduce(x, "sum", group)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def differentiable_bad(x):
    if dist.get_rank() == 0:
        x = dist_nn.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def local_twins_ok(x, index, words):
    if dist.get_rank() == 0:
        torch.gather(x, 0, index)
        torch.scatter(x, 0, index, x)
        torch.cuda.synchronize()
        " ".join(words)


def point_to_point_ok(x):
    rank = dist.get_rank()
    if rank == 0:
        dist.send(x, dst=1)
    elif rank == 1:
        dist.recv(x, src=0)


def main_rank_collects_after_all_gathered_ok(x):
    out = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(out, x)
    if dist.get_rank() == 0:
        return torch.cat(out)
    return None


def gather_with_a_list_on_one_rank_ok(x):
    out = [torch.empty_like(x) for _ in range(dist.get_world_size())] if dist.get_rank() == 0 else None
    dist.gather(x, out, dst=0)
    return out


def save_with_options_on_all_ranks_ok(model: FSDP, state, folder):
    dcp.save(state, checkpoint_id=folder)
    if dist.get_rank() == 0:
        print("saved to", folder)


def wrapped_on_all_ranks_ok(model, device):
    model = DistributedDataParallel(model, device_ids=[device])
    if dist.get_rank() == 0:
        print(model)
    return model
