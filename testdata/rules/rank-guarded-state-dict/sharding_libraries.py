"""Saves of libraries that shard by themselves: fairscale, torchsnapshot, ColossalAI."""
import torch
import torch.distributed as dist
from colossalai.booster import Booster
from colossalai.cluster import DistCoordinator
from fairscale.nn import FullyShardedDataParallel as FSDP
from fairscale.optim.oss import OSS


def consolidate_bad(optimizer: OSS, path):
    if dist.get_rank() == 0:
        optimizer.consolidate_state_dict()  # expect: [rank-guarded-state-dict] "`consolidate_state_dict`"
        torch.save(optimizer.state_dict(), path)


def consolidate_ok(optimizer: OSS, path):
    optimizer.consolidate_state_dict()
    if dist.get_rank() == 0:
        torch.save(optimizer.state_dict(), path)


def whole_state_bad(module, path):
    model = FSDP(module)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: [rank-guarded-state-dict] "`state_dict`"


def own_part_ok(module, path):
    model = FSDP(module)
    if dist.get_rank() == 0:
        torch.save(model.local_state_dict(), path)


def boosted_bad(module, optimizer, plugin, path):
    booster = Booster(plugin=plugin)
    model, optimizer, *_ = booster.boost(module, optimizer)
    if DistCoordinator().is_master():
        booster.save_model(model, path, shard=True)  # expect: [rank-guarded-state-dict] "`save_model`"


def boosted_ok(module, optimizer, scheduler, plugin, path):
    booster = Booster(plugin=plugin)
    model, optimizer, *_ = booster.boost(module, optimizer)
    booster.save_model(model, path, shard=True)
    if DistCoordinator().is_master():
        booster.save_lr_scheduler(scheduler, path)
