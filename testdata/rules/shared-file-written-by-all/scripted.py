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


def by_its_own_method_bad(model, args):
    dist.init_process_group("nccl")
    scripted = torch.jit.script(model)
    scripted.save(os.path.join(args.folder, "init.zip"))  # expect: [shared-file-written-by-all] "at once"


def by_its_own_method_ok(model, args):
    dist.init_process_group("nccl")
    scripted = torch.jit.trace(model, torch.ones(1))
    if dist.get_rank() == 0:
        scripted.save(os.path.join(args.folder, "init.zip"))
