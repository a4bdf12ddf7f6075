"""Arguments of wrappers that follow from the rank."""
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP


def synchronised_by_one_bad(module):
    return FSDP(module, device_id=torch.cuda.current_device(), sync_module_states=dist.get_rank() == 0)  # expect: [divergent-wrapping] "`sync_module_states`"


def ignored_by_one_bad(module, extra):
    ignored = [extra] if dist.get_rank() == 0 else []
    return FSDP(module, ignored_modules=ignored)  # expect: [divergent-wrapping] "`ignored_modules`"


def resharded_by_one_bad(module):
    fully_shard(module, reshard_after_forward=dist.get_rank() == 0)  # expect: [divergent-wrapping] "`reshard_after_forward`"


def buffers_of_one_bad(module):
    return DDP(module, broadcast_buffers=dist.get_rank() == 0)  # expect: [divergent-wrapping] "`broadcast_buffers`"


def device_of_the_rank_ok(module):
    rank = dist.get_rank() % torch.cuda.device_count()
    return DDP(module, device_ids=[rank], output_device=rank)


def initialised_by_one_ok(module):
    init = None if dist.get_rank() == 0 else lambda m: m.to_empty(device="cuda", recurse=False)
    return FSDP(module, device_id=torch.cuda.current_device(), sync_module_states=True, param_init_fn=init)


def configured_ok(module, config):
    return FSDP(module, sync_module_states=config.sync, auto_wrap_policy=config.policy, device_id=config.device)
