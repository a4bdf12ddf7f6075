"""What a mesh is told holds for its own groups, not for those that are made of it."""
from datetime import timedelta

import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh


def backends(names, minutes):
    options = dist.ProcessGroupNCCL.Options()
    options._timeout = timedelta(minutes=minutes)
    return {name: ("nccl", options) for name in names}


def make(minutes):
    names = ("dp_replicate", "dp_shard", "tp")
    return init_device_mesh("cuda", (2, 2, 2), mesh_dim_names=names, backend_override=backends(names, minutes))


def flat_bad(mesh: DeviceMesh):
    return mesh["dp_replicate", "dp_shard"]._flatten(mesh_dim_name="dp")  # expect: [timeout-not-passed-on] "this group does not take over the `backend_override` of `init_device_mesh`"


# Told with the first.
def parted(mesh: DeviceMesh):
    return mesh._unflatten(0, (2, 2), ("ep_shard", "ep"))


def flat_ok(mesh: DeviceMesh, minutes):
    return mesh["dp_replicate", "dp_shard"]._flatten("dp", backends(("dp",), minutes)["dp"])


# Groups of ranks are told by an argument of their own, and no default group here is given one.
def of_ranks_ok(ranks):
    return dist.new_group(ranks)
