"""Attributes that are flags of some ranks, and one that is not."""
import torch.distributed as dist
import wandb


class Base:
    def __init__(self, args):
        self.is_shown = True
        self.is_recorded = True
        if args.distributed:
            if args.local_rank != 0:
                self.is_shown = False
            if args.offline:
                self.is_recorded = False
        dist.init_process_group("nccl")


class Shown(Base):
    def begin_ok(self):
        if self.is_shown:
            wandb.init(project="shown")
        dist.barrier()


class Recorded(Base):
    def begin_bad(self):
        if self.is_recorded:
            wandb.init(project="recorded")  # expect: [run-started-by-all]
        dist.barrier()
