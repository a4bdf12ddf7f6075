"""Code of one process, or of the few that make a group of their own."""
import os

import torch.distributed as dist
import torch.distributed.checkpoint as dcp


def export_on_one(model, folder):
    if int(os.environ.get("RANK", 0)) != 0:
        return
    if os.environ.get("WORLD_SIZE") != "1":
        os.environ["WORLD_SIZE"] = "1"
    if not dist.is_initialized():
        dist.init_process_group("gloo")
    dcp.load(model.state_dict(), checkpoint_id=folder)


def two_trainers_and_a_server(serve):
    rank = int(os.environ["RANK"])
    if rank == 2:
        serve("parameters")
    else:
        dist.init_process_group("gloo", rank=rank, world_size=2, init_method="tcp://localhost:29500")
