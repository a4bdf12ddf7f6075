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


class Recorder:
    """It may be asked before ranks are set up: the trainer sets them up further down."""

    def record(self, name, trainer):
        if dist.is_available() and dist.is_initialized():
            gathered = [None] * dist.get_world_size()
            dist.all_gather_object(gathered, name)
        else:
            self.write_ok("names.txt", name)
        trainer.start()

    def write_ok(self, path, name):
        with open(path, "w") as file:
            file.write(name)
