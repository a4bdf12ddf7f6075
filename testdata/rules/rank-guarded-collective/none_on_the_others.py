"""A variable that is None on all ranks but one stays so, whatever it is handed to."""
import torch
import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter


def evaluate(model, writer):
    score = model.score()
    dist.all_reduce(score)
    if writer is not None:
        writer.add_scalar("score", score)


def handed_on_before_bad(model, folder, loss):
    writer = SummaryWriter(folder) if dist.get_rank() == 0 else None
    evaluate(model, writer)
    if writer is not None:
        dist.all_reduce(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def sent_to_all_ok(loss):
    settings = [{"steps": 10}] if dist.get_rank() == 0 else [None]
    dist.broadcast_object_list(settings, src=0)
    if settings[0] is not None:
        dist.all_reduce(loss)


def given_anew_ok(read, loss):
    settings = read() if dist.get_rank() == 0 else None
    held = [settings]
    dist.broadcast_object_list(held, src=0)
    settings = held[0]
    if settings is not None:
        dist.all_reduce(loss)
