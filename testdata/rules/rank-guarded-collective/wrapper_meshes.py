# A wrapper that is given a mesh communicates along it: ranks that differ in another dimension do not wait for each other.
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


def first_of_other_dimension_ok(net, x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("tp", "dp"))
    model = FSDP(net, device_mesh=mesh["dp"])
    if mesh["tp"].get_local_rank() == 0:
        model(x)


def replicated_ok(net, x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("tp", "dp"))
    model = DDP(net, device_mesh=mesh["dp"])
    if mesh["tp"].get_local_rank() == 0:
        model(x)


def first_of_this_dimension_bad(net, x):
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("tp", "dp"))
    model = FSDP(net, device_mesh=mesh["dp"])
    if mesh["dp"].get_local_rank() == 0:
        model(x)  # expect: [rank-guarded-collective] "`all_gather` on `dp`"
