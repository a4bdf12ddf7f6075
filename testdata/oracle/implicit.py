"""What communicates although it does not look like it, and what does not although it does.

Each function prepares something and then does one thing under `counted()`. The oracle runs it on four ranks and counts
the collectives that PyTorch issues there; ranklint reads it with a rank condition in that place, and says whether the
others would wait. The two have to agree, but for `_fp`, a false alarm that we know of,
`_fn`, a miss, and `_later`: nothing is issued there, but what the others lack is waited for when it is first used, and
a program of its own shows that.

FSDP's constructor refuses to synchronise a module on the CPU, so that can only be counted on a machine with devices.
"""
import tempfile

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
import torch.distributed.checkpoint as dcp
import torch.distributed.nn.functional as nn_collectives
from torch import nn
from torch.distributed._composable.replicate import replicate
from torch.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
from torch.distributed.checkpoint.state_dict import (StateDictOptions, get_model_state_dict, get_optimizer_state_dict, get_state_dict,
                                                     set_model_state_dict, set_optimizer_state_dict)
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_module, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module
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


def fsdp_constructor():
    model = nn.Linear(4, 4)
    with counted():
        FullyShardedDataParallel(model, device_id=torch.device("cpu"))


def fsdp_load_state_dict():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    weights = model.state_dict()
    with counted():
        model.load_state_dict(weights)


def fsdp_optimizer_state():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 4)).sum().backward()
    optimizer.step()
    with counted():
        FullyShardedDataParallel.optim_state_dict(model, optimizer)


def fully_shard_on_a_mesh_later():
    model = nn.Linear(4, 4)
    mesh = world_mesh()
    with counted():
        fully_shard(model, mesh=mesh)


def fully_shard_on_no_mesh_later():
    model = nn.Linear(4, 4)
    with counted():
        fully_shard(model)


def state_dict_of_a_fully_sharded_model():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    with counted():
        model.state_dict()


# It gathers for FSDP1, and only there.
def sharded_state_dict_of_a_fully_sharded_model():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    with counted():
        get_model_state_dict(model)


def unshard_of_a_fully_sharded_model():
    model = fully_shard(nn.Linear(4, 4), mesh=world_mesh())
    with counted():
        model.unshard()


def clip_of_sharded_gradients_fn():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    model(torch.ones(1, 4)).sum().backward()
    with counted():
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def clip_of_plain_gradients():
    model = nn.Linear(4, 4)
    model(torch.ones(1, 4)).sum().backward()
    with counted():
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def full_state_and_optimizer_of_a_sharded_model():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    optimizer = torch.optim.Adam(model.parameters())
    with counted():
        get_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True))


def full_optimizer_state_of_a_sharded_model():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    optimizer = torch.optim.Adam(model.parameters())
    with counted():
        get_optimizer_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True))


def setting_a_full_optimizer_state_from_rank_0():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    optimizer = torch.optim.Adam(model.parameters())
    state = get_optimizer_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True))
    with counted():
        set_optimizer_state_dict(model, optimizer, state, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))


def setting_a_full_state_dict_that_all_have():
    model = nn.Linear(4, 4)
    weights = {name: torch.ones_like(value) for name, value in model.state_dict().items()}
    fully_shard(model, mesh=world_mesh())
    with counted():
        set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True))


def item_of_a_shard():
    x = sharded(world_mesh())
    with counted():
        x.sum().item()


def item_of_a_replica():
    x = DTensor.from_local(torch.ones(1), world_mesh(), [Replicate()])
    with counted():
        x.item()


def sum_of_a_shard():
    x = sharded(world_mesh())
    with counted():
        x.sum()


def truth_of_a_shard():
    x = sharded(world_mesh())
    with counted():
        bool((x == x).all())


def equal_of_two_shards():
    mesh = world_mesh()
    x, y = sharded(mesh), sharded(mesh)
    with counted():
        x.equal(y)


def a_shard_is_printed():
    x = sharded(world_mesh())
    with counted():
        str(x)


def local_part_of_a_shard():
    x = sharded(world_mesh())
    with counted():
        x.to_local()


def redistribute_to_a_shard():
    mesh = world_mesh()
    x = DTensor.from_local(torch.ones(8, 4), mesh, [Replicate()])
    with counted():
        x.redistribute(mesh, [Shard(0)])


def redistribute_of_a_partial_sum():
    mesh = world_mesh()
    x = DTensor.from_local(torch.ones(8, 4), mesh, [Partial()])
    with counted():
        x.redistribute(mesh, [Replicate()])


def redistribute_to_another_dimension():
    mesh = world_mesh()
    x = sharded(mesh)
    with counted():
        x.redistribute(mesh, [Shard(1)])


def product_of_shards_that_do_not_meet_fn():
    mesh = world_mesh()
    x, y = DTensor.from_local(torch.ones(2, 8), mesh, [Shard(0)]), sharded(mesh)
    with counted():
        x @ y


def zeros_in_shards():
    mesh = world_mesh()
    with counted():
        torch.distributed.tensor.zeros(8, 4, device_mesh=mesh, placements=[Shard(0)])


def a_module_is_distributed():
    mesh, model = world_mesh(), nn.Linear(4, 4)
    with counted():
        distribute_module(model, mesh)


def a_module_is_parallelized():
    mesh, model = world_mesh(), nn.Linear(4, 4)
    with counted():
        parallelize_module(model, mesh, ColwiseParallel())


def a_mesh_from_numbers():
    with counted():
        DeviceMesh("cpu", [[0, 1], [2, 3]])


def a_part_of_a_mesh():
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    with counted():
        mesh["tp"].get_group()


def a_mesh_is_flattened():
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    with counted():
        mesh["dp", "tp"]._flatten("all")


def coordinates_are_asked():
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    with counted():
        mesh.get_local_rank("tp")
        mesh.get_coordinate()


def subgroups():
    with counted():
        dist.new_subgroups(2)


def subgroups_by_enumeration():
    with counted():
        dist.new_subgroups_by_enumeration([[0, 1], [2, 3]])


def ddp_forward_with_buffers():
    model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)))
    x = torch.ones(2, 4)
    with counted():
        model(x)


def ddp_forward_without_buffers_fp():
    model = DistributedDataParallel(nn.Linear(4, 4))
    x = torch.ones(2, 4)
    with counted():
        model(x)


def ddp_state_dict():
    model = DistributedDataParallel(nn.Linear(4, 4))
    with counted():
        model.state_dict()


def ddp_module_forward():
    model = DistributedDataParallel(nn.Linear(4, 4))
    x = torch.ones(2, 4)
    with counted():
        model.module(x)


def replicate_of_a_module_later():
    model = nn.Linear(4, 4)
    with counted():
        replicate(model)


def zero_optimizer_step():
    model = nn.Linear(4, 4)
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.SGD, lr=0.1)
    model(torch.ones(1, 4)).sum().backward()
    with counted():
        optimizer.step()


def zero_optimizer_consolidates():
    model = nn.Linear(4, 4)
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.SGD, lr=0.1)
    with counted():
        optimizer.consolidate_state_dict(to=0)


def plain_optimizer_step():
    model = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(1, 4)).sum().backward()
    with counted():
        optimizer.step()


def parameters_are_averaged():
    model = nn.Linear(4, 4)
    averager = PeriodicModelAverager(period=2)
    model(torch.ones(1, 4)).sum().backward()
    with counted():
        averager.average_parameters(model.parameters())


def checkpoint_save():
    state = {"x": sharded(world_mesh())}
    folder = tempfile.mkdtemp()
    with counted():
        dcp.save(state, checkpoint_id=folder)


def checkpoint_load():
    state = {"x": sharded(world_mesh())}
    box = [tempfile.mkdtemp()]
    dist.broadcast_object_list(box, src=0)
    dcp.save(state, checkpoint_id=box[0])
    with counted():
        dcp.load(state, checkpoint_id=box[0])


def torch_save_of_local_weights():
    model = nn.Linear(4, 4)
    path = tempfile.mkdtemp() + "/weights.pt"
    with counted():
        torch.save(model.state_dict(), path)


def an_object_is_gathered_on_rank_0():
    box = [None] * 4 if dist.get_rank() == 0 else None
    with counted():
        dist.gather_object({"a": 1}, box, dst=0)


def an_object_is_scattered():
    box = [None]
    with counted():
        dist.scatter_object_list(box, [1, 2, 3, 4], src=0)


def monitored_barrier():
    with counted():
        dist.monitored_barrier()


def functional_all_reduce():
    x = torch.ones(4)
    with counted():
        funcol.all_reduce(x, "sum", dist.group.WORLD)


def functional_all_gather():
    x = torch.ones(4)
    with counted():
        funcol.all_gather_tensor(x, 0, dist.group.WORLD)


def functional_reduce_scatter():
    x = torch.ones(4)
    with counted():
        funcol.reduce_scatter_tensor(x, "sum", 0, dist.group.WORLD)


def functional_all_to_all():
    x = torch.ones(4)
    with counted():
        funcol.all_to_all_single(x, None, None, dist.group.WORLD)


def functional_broadcast():
    x = torch.ones(4)
    with counted():
        funcol.broadcast(x, 0, dist.group.WORLD)


def differentiable_all_reduce():
    x = torch.ones(4)
    with counted():
        nn_collectives.all_reduce(x)


def differentiable_all_gather():
    x = torch.ones(4)
    with counted():
        nn_collectives.all_gather(x)


def differentiable_broadcast():
    x = torch.ones(4)
    with counted():
        nn_collectives.broadcast(x, 0)


def into_tensor():
    x, out = torch.ones(4), torch.empty(16)
    with counted():
        dist.all_gather_into_tensor(out, x)


def reduce_scatter_of_a_tensor():
    x, out = torch.ones(16), torch.empty(4)
    with counted():
        dist.reduce_scatter_tensor(out, x)


def all_to_all_of_one_tensor():
    x, out = torch.ones(4), torch.empty(4)
    with counted():
        dist.all_to_all_single(out, x)


def gather_and_scatter():
    x, parts = torch.ones(4), [torch.empty(4) for _ in range(4)]
    first = dist.get_rank() == 0
    with counted():
        dist.gather(x, parts if first else None, dst=0)
        dist.scatter(x, parts if first else None, src=0)


def reduce_to_rank_0():
    x = torch.ones(4)
    with counted():
        dist.reduce(x, dst=0)


def an_asynchronous_all_reduce():
    x = torch.ones(4)
    with counted():
        dist.all_reduce(x, async_op=True).wait()


def group_is_asked():
    group = dist.new_group([0, 1, 2, 3])
    with counted():
        dist.get_process_group_ranks(group)
        dist.get_group_rank(group, 1)
        dist.get_global_rank(group, 1)
