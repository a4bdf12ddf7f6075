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


class Averager:
    def __init__(self, parameters, group=None):
        self.parameters = parameters
        self.group = dist.distributed_c10d._get_default_group() if group is None else group
        self.average()

    def average(self):
        for parameter in self.parameters:
            dist.broadcast(parameter, src=0, group=self.group)


def average_among_the_first(parameters, count=None):
    if count is None:
        count, some = dist.get_world_size(), None
    else:
        some = dist.new_group(ranks=list(range(count)))
    if dist.get_rank() < count:
        return Averager(parameters, group=some)
    return None
