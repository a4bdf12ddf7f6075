"""Checkpoints from which every rank goes on."""
import torch
import torch.distributed as dist


def set_up(args):
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl")


def resumed_bad(model, optimizer, args):
    dist.barrier()
    checkpoint = torch.load(args.resume)  # expect: [loaded-onto-one-gpu] "`load` brings the checkpoint on every rank"
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"]


class Trainer:
    def __init__(self, model, optimizer, scheduler):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler

    def restore_bad(self, path):
        state = torch.load(path, weights_only=False)  # expect: [loaded-onto-one-gpu] "no `map_location`"
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])

    def run(self, path):
        self.restore_bad(path)
        dist.barrier()


def told_ok(model, optimizer, args):
    dist.barrier()
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])


def told_by_position_ok(model, optimizer, args):
    dist.barrier()
    checkpoint = torch.load(args.resume, torch.device("cuda", args.local_rank))
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])


def by_one_rank_ok(model, optimizer, args):
    dist.barrier()
    if dist.get_rank() == 0:
        checkpoint = torch.load(args.resume)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])


def of_the_rank_ok(model, optimizer, args):
    dist.barrier()
    checkpoint = torch.load(f"{args.resume}/{dist.get_rank()}.pt")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])


def public_weights_ok(model, args):
    dist.barrier()
    model.load_state_dict(torch.load(args.pretrained)["model"])


def either_way_ok(model, optimizer, args):
    dist.barrier()
    if args.gpu is None:
        checkpoint = torch.load(args.resume)
    else:
        checkpoint = torch.load(args.resume, map_location=f"cuda:{args.gpu}")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])


def with_options_ok(model, optimizer, args, options):
    dist.barrier()
    checkpoint = torch.load(args.resume, **options)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])


# Nothing shows that several ranks run it.
def alone_ok(model, optimizer, args):
    checkpoint = torch.load(args.resume)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])


def weights_by_either_key_ok(model, args):
    dist.barrier()
    checkpoint = torch.load(args.pretrained)
    if "model" in checkpoint:
        model.load_state_dict(checkpoint["model"])
    else:
        model.load_state_dict(checkpoint["state_dict"])
