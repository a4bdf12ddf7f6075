"""One number, which every process of a machine binds."""
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
