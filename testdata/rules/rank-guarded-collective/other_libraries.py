"""What libraries name their ranks and collectives, where they are not part of the project."""
import bagua.torch_api as bagua
import byteps.torch as bps
import dgl
import mindspore.mint.distributed as mint
import oneflow as flow
import torch.distributed as dist
from fastai.distributed import rank_distrib
from flashy import distrib
from monai.utils import evenly_divisible_all_gather
from olmo_core.distributed import utils as olmo
from pytorch_lightning.utilities import rank_zero_only
from speechbrain.utils.distributed import if_main_process, run_on_main
from streaming.base import distributed as streaming
from timm.utils import distribute_bn, reduce_tensor
from torchtnt.utils.distributed import all_gather_tensors, get_global_rank
from ultralytics.utils import LOCAL_RANK, RANK


def flashy_bad(metrics):
    if distrib.is_rank_zero():
        return distrib.average_metrics(metrics, 4)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"
    return metrics


def flashy_ok(metrics, logger):
    metrics = distrib.average_metrics(metrics, 4)
    if distrib.is_rank_zero():
        logger.log(metrics)


def torchtnt_bad(x):
    if get_global_rank() == 0:
        return all_gather_tensors(x)  # expect: [rank-guarded-collective] "`all_gather` on `world`"
    return [x]


def olmo_bad(loss, device):
    if olmo.get_rank() == 0:
        print(olmo.all_reduce_value(loss, device))  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def olmo_ok(done, device, model):
    done = olmo.synchronize_flag(done, device)
    if done:
        olmo.barrier()


def streaming_bad(path):
    if streaming.get_local_rank() == 0:
        path.mkdir()
        streaming.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world`"


def timm_bad(loss, args):
    if args.local_rank == 0:
        print(reduce_tensor(loss, args.world_size))  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def timm_ok(model, loss, args):
    distribute_bn(model, args.world_size, True)
    loss = reduce_tensor(loss, args.world_size)
    if args.local_rank == 0:
        print(loss)


def monai_bad(scores):
    if dist.get_rank() == 0:
        scores = evenly_divisible_all_gather(data=scores)  # expect: [rank-guarded-collective] "`all_gather` on `world`"
    return scores


def fairseq2_bad(gang, state):
    if gang.rank == 0:
        state.save()
        gang.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world`"


def fairseq2_ok(gangs, state):
    if gangs.root.rank == 0:
        state.save()
    gangs.root.barrier()


def oneflow_bad(x):
    if flow.env.get_rank() == 0:
        flow.comm.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def bagua_bad(x):
    if bagua.get_rank() == 0:
        bagua.allreduce_inplace(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def byteps_bad(model):
    if bps.rank() == 0:
        bps.broadcast_parameters(model.state_dict(), root_rank=0)  # expect: [rank-guarded-collective] "`broadcast` on `world`"


def dgl_bad(name):
    g = dgl.distributed.DistGraph(name)
    if g.rank() == 0:
        g.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world`"


def mindspore_bad():
    if mint.get_rank() == 0:
        mint.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world`"


def mindspore_in_a_group_ok(x, dp_rank, tp_group):
    if dp_rank == 0:
        mint.broadcast(x, 0, tp_group, async_op=False)


def mindspore_in_a_group_bad(x, tp_rank, tp_group):
    if tp_rank == 0:
        mint.broadcast(x, 0, tp_group)  # expect: [rank-guarded-collective] "`broadcast` on `tp`"


def fastai_bad(x):
    if rank_distrib() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def ultralytics_bad(save):
    if RANK in {-1, 0}:
        save()
        dist.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world`"


def ultralytics_ok(save):
    if LOCAL_RANK in {-1, 0}:
        save()
    if RANK != -1:
        dist.barrier()


def rank_of_decorator_bad(x):
    if rank_zero_only.rank == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"


def speechbrain_bad(checkpointer):
    if if_main_process():
        run_on_main(checkpointer.save)  # expect: [rank-guarded-collective] "`barrier` on `world`"


def speechbrain_ok(checkpointer):
    run_on_main(checkpointer.save)
    if if_main_process():
        print("saved")
