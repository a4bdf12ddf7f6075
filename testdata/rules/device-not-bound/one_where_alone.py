"""One number where there is one process."""
import torch
import torch.distributed as dist


def constant_of_one_process_ok(args, model, batch):
    if args.distributed:
        dist.init_process_group("nccl")
        torch.cuda.set_device(args.local_rank)
    else:
        torch.cuda.set_device(0)
    loss = model(batch)
    if args.distributed:
        dist.all_reduce(loss)


def where_one_is_seen_ok(model, batch):
    count = torch.cuda.device_count()
    dist.init_process_group("nccl")
    if count > 1:
        torch.cuda.set_device(dist.get_rank() % count)
    else:
        torch.cuda.set_device(0)
    dist.all_reduce(model(batch))
