"""One number, which every process of a machine binds."""
import os

import torch
import torch.distributed as dist


def constant_bad(model, batch):
    dist.init_process_group("nccl")
    torch.cuda.set_device(0)  # expect: [device-not-bound] "every process binds GPU 0"
    loss = model(batch)
    dist.all_reduce(loss)


def constant_without_a_job_ok(model, batch):
    torch.cuda.set_device(0)
    return model(batch)


def under_the_option_of_the_job_bad(options):
    if options.distributed:
        torch.cuda.set_device(0)  # expect: [device-not-bound] "every process binds GPU 0"
        dist.init_process_group("nccl")
        dist.barrier()


def one_launcher_or_another_bad():
    if "SLURM_PROCID" in os.environ:
        dist.init_process_group("nccl", rank=int(os.environ["SLURM_PROCID"]))
        torch.cuda.set_device(0)  # expect: [device-not-bound] "every process binds GPU 0"
    else:
        dist.init_process_group("nccl")
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.barrier()


def where_it_sees_one_ok():
    dist.init_process_group("nccl")
    if torch.cuda.device_count() == 1:
        torch.cuda.set_device(0)
    dist.barrier()
