"""What communicates although it does not look like it, and what does not although it does.

Each function prepares something and then does one thing under `counted()`. The oracle runs it on four ranks and counts
the collectives that PyTorch issues there; ranklint reads it with a rank condition in that place, and says whether the
others would wait. The two have to agree, but for `_fp`, a false alarm that we know of, and
`_fn`, a miss.

FSDP's constructor refuses to synchronise a module on the CPU, so that can only be counted on a machine with devices.
"""
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from torch.nn.parallel import DistributedDataParallel

from oracle import counted


def world_mesh():
    return init_device_mesh("cpu", (4,))


def sharded(mesh):
    return DTensor.from_local(torch.ones(2, 4), mesh, [Shard(0)])


def replicated(mesh):
    return DTensor.from_local(torch.ones(8, 4), mesh, [Replicate()])


def distribute_tensor_scatters():
    mesh = world_mesh()
    x = torch.ones(8, 4)
    with counted():
        distribute_tensor(x, mesh, [Shard(0)])


def distribute_tensor_broadcasts():
    mesh = world_mesh()
    x = torch.ones(8, 4)
    with counted():
        distribute_tensor(x, mesh, [Replicate()])


def distribute_tensor_without_a_source():
    mesh = world_mesh()
    x = torch.ones(8, 4)
    with counted():
        distribute_tensor(x, mesh, [Shard(0)], src_data_rank=None)


def full_tensor_of_a_shard():
    x = sharded(world_mesh())
    with counted():
        x.full_tensor()


# Placements are not followed through a helper: what depends on them is claimed.
def full_tensor_of_a_replica_fp():
    x = replicated(world_mesh())
    with counted():
        x.full_tensor()


def redistribute_to_a_replica():
    mesh = world_mesh()
    x = sharded(mesh)
    with counted():
        x.redistribute(mesh, [Replicate()])


def copy_between_equal_placements_fp():
    mesh = world_mesh()
    x, y = sharded(mesh), sharded(mesh)
    with counted():
        x.copy_(y)


def copy_from_a_shard_to_a_replica():
    mesh = world_mesh()
    x, y = replicated(mesh), sharded(mesh)
    with counted():
        x.copy_(y)


def item_of_a_local_tensor():
    x = sharded(world_mesh()).to_local()
    with counted():
        x.sum().item()


def from_local_without_a_check():
    mesh = world_mesh()
    x = torch.ones(2, 4)
    with counted():
        DTensor.from_local(x, mesh, [Shard(0)])


def from_local_with_a_check():
    mesh = world_mesh()
    x = torch.ones(8, 4)
    with counted():
        DTensor.from_local(x, mesh, [Replicate()], run_check=True)


def mesh_creation():
    with counted():
        init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))


def group_creation():
    with counted():
        dist.new_group([0, 1])


def fsdp_state_dict():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    with counted():
        model.state_dict()


# A wrapped module is called like a function.
def fsdp_forward():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    x = torch.ones(1, 4)
    with counted():
        model(x)


def fsdp_summon():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    with counted():
        with FullyShardedDataParallel.summon_full_params(model):
            pass


def fsdp_clip():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    model(torch.ones(1, 4)).sum().backward()
    with counted():
        model.clip_grad_norm_(1.0)


def ddp_constructor():
    model = nn.Linear(4, 4)
    with counted():
        DistributedDataParallel(model)


def plain_state_dict():
    model = nn.Linear(4, 4)
    with counted():
        model.state_dict()


def full_state_dict_of_a_sharded_model():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    with counted():
        get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))


def setting_a_full_state_dict_from_rank_0():
    model = nn.Linear(4, 4)
    weights = {name: torch.ones_like(value) for name, value in model.state_dict().items()}
    fully_shard(model, mesh=world_mesh())
    with counted():
        set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))


def fully_sharded_forward_fn():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    x = torch.ones(1, 4)
    with counted():
        model(x)


def an_object_is_gathered():
    box = [None] * 4
    with counted():
        dist.all_gather_object(box, {"a": 1})


def an_object_is_broadcast():
    box = [{"a": 1}]
    with counted():
        dist.broadcast_object_list(box, src=0)


def rank_is_asked():
    with counted():
        dist.get_rank()
        dist.get_world_size()
