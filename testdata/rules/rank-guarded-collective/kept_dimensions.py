"""A mesh's dimension kept in a variable of the module or in an attribute, under a name that does not say which it is."""
import os

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("nodes", "local"))
within = mesh.get_group("local")
across = mesh.get_group("nodes")


def of_module_bad(x):
    if int(os.environ["LOCAL_RANK"]) == 0:
        dist.broadcast(x, src=0, group=within)  # expect: [rank-guarded-collective] "`broadcast` on `local`"


def of_module_ok(x):
    if int(os.environ["LOCAL_RANK"]) == 0:
        dist.all_reduce(x, group=across)


class Mesh:
    def __init__(self):
        self.mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("nodes", "local"))
        self.within = self.mesh.get_group("local")
        self.across = self.mesh.get_group("nodes")


class Outer:
    def __init__(self, mesh: Mesh):
        self.mesh = mesh
        self.local_rank = int(os.environ["LOCAL_RANK"])

    def share_bad(self, parameters):
        if self.local_rank == 0:
            for p in parameters:
                dist.broadcast(p, src=0, group=self.mesh.within)  # expect: [rank-guarded-collective] "`broadcast` on `local`"

    def share_ok(self, parameters):
        if self.local_rank == 0:
            for p in parameters:
                dist.all_reduce(p, group=self.mesh.across)
