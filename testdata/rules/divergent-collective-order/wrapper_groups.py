# A wrapper that is given a group communicates on that group, in the forward pass, in the backward pass and for its state.
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullStateDictConfig, FullyShardedDataParallel as FSDP, StateDictType, fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP

TRAINERS = 2


def pass_through(model, loader):
    for x in loader:
        model(x).mean().backward()


def train_ddp(rank, net, group, loader):
    model = DDP(net, device_ids=[rank], process_group=group)
    for x in loader:
        loss = model(x).mean()
        loss.backward()


def train_elsewhere(rank, net, group, loader):
    model = DDP(net, device_ids=[rank], process_group=group)
    pass_through(model, loader)


def save_fsdp(net, group):
    model = FSDP(net, process_group=group)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(rank0_only=True)):
        return model.state_dict()


def train_on_world(rank, net, loader):
    model = DDP(net, device_ids=[rank])
    for x in loader:
        loss = model(x).mean()
        loss.backward()


class Trainer:
    def __init__(self, net, group):
        self.model = DDP(net, process_group=group)

    def train(self, loader):
        for x in loader:
            self.model(x).mean().backward()


def ddp_ok(net, loader):
    rank = dist.get_rank()
    ranks = list(range(0, TRAINERS))
    group = dist.new_group(ranks=ranks)
    if rank in ranks:
        train_ddp(rank, net, group, loader)
    dist.barrier()


def elsewhere_ok(net, loader):
    rank = dist.get_rank()
    ranks = list(range(0, TRAINERS))
    group = dist.new_group(ranks=ranks)
    if rank in ranks:
        train_elsewhere(rank, net, group, loader)
    dist.barrier()


def state_ok(net):
    rank = dist.get_rank()
    ranks = list(range(0, TRAINERS))
    group = dist.new_group(ranks=ranks)
    if rank in ranks:
        save_fsdp(net, group)
    dist.barrier()


def kept_ok(net, loader):
    rank = dist.get_rank()
    ranks = list(range(0, TRAINERS))
    group = dist.new_group(ranks=ranks)
    if rank in ranks:
        Trainer(net, group).train(loader)
    dist.barrier()


def world_bad(net, loader):
    rank = dist.get_rank()
    ranks = list(range(0, TRAINERS))
    dist.new_group(ranks=ranks)
    if rank in ranks:
        train_on_world(rank, net, loader)  # expect: [rank-guarded-wrapper]
    dist.barrier()


def state_of_part_bad(net):
    rank = dist.get_rank()
    ranks = list(range(0, TRAINERS))
    group = dist.new_group(ranks=ranks)
    if rank == 0:
        save_fsdp(net, group)  # expect: [rank-guarded-state-dict]
    dist.barrier()


def pass_of_part_bad(net, loader):
    rank = dist.get_rank()
    ranks = list(range(0, TRAINERS))
    group = dist.new_group(ranks=ranks)
    model = FSDP(net, process_group=group)
    if rank == 0:
        for x in loader:
            model(x)  # expect: [rank-guarded-collective]


def sharded_along_tp_ok(net, mesh, loader):
    model = fully_shard(net, mesh=mesh["tp"])
    if mesh["dp"].get_local_rank() == 0:
        for x in loader:
            model(x)


def sharded_along_dp_bad(net, mesh, loader):
    model = fully_shard(net, mesh=mesh["dp"])
    if mesh["dp"].get_local_rank() == 0:
        for x in loader:
            model(x)  # expect: [rank-guarded-collective]
