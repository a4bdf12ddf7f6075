import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def compiled_bad(module, config):
    model = FSDP(module, device_id=torch.cuda.current_device())
    if config.compile:
        model = torch.compile(model)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: [clip-without-group] "this rank's shards only"


def compiled_alone_ok(module):
    model = torch.compile(module)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
