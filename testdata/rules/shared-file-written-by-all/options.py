"""A program that sets up its ranks under an option."""
import torch
import torch.distributed as dist


def start(options):
    if options.distributed:
        dist.init_process_group("nccl")


def where_there_is_one_process_ok(model, options):
    start(options)
    if options.distributed:
        dist.barrier()
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "last.pt")
    else:
        torch.save(model.state_dict(), "last.pt")


def under_another_option_bad(model, options):
    start(options)
    dist.barrier()
    if options.saves:
        torch.save(model.state_dict(), "last.pt")  # expect: [shared-file-written-by-all]
