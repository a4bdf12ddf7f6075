import os

import torch
import torch.distributed as dist


def export_bad(args, model):
    dist.init_process_group("nccl")
    torch.jit.save(torch.jit.script(model), os.path.join(args.folder, "init.zip"))  # expect: [shared-file-written-by-all] "at once"
    dist.barrier()


def export_ok(args, model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.jit.save(torch.jit.script(model), os.path.join(args.folder, "init.zip"))
    dist.barrier()
