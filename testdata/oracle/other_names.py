"""Collectives by the names that fewer programs use, and the states of optimizers; as implicit.py has it.

What needs a device, and what runs in a thread of its own, is not here: nobody counts there.
"""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
import torch.distributed.nn.functional as nn_collectives
from torch import nn
from torch.distributed._shard.sharded_tensor import Shard as LocalShard
from torch.distributed._shard.sharded_tensor import init_from_local_shards
from torch.distributed._state_dict_utils import _broadcast_state_dict, _gather_state_dict
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullOptimStateDictConfig, FullStateDictConfig, FullyShardedDataParallel, StateDictType, fully_shard
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler
from torch.distributed.fsdp.wrap import enable_wrap, wrap
from torch.distributed.tensor import DTensor, Shard
from torch.distributed.tensor.experimental._attention import context_parallel_unshard

from oracle import counted


def world_mesh():
    return init_device_mesh("cpu", (4,))


def four_parts():
    return [torch.ones(4) for _ in range(4)]


def sharded_model_and_optimizer():
    model = FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu"))
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 4)).sum().backward()
    optimizer.step()
    return model, optimizer


def reduced_and_scattered():
    x, parts = torch.ones(4), four_parts()
    with counted():
        dist.reduce_scatter(x, parts)


def gathered_into_one():
    x, out = torch.ones(4), torch.empty(16)
    with counted():
        dist.all_gather_single(out, x)


def reduced_and_scattered_of_one():
    x, out = torch.ones(16), torch.empty(4)
    with counted():
        dist.reduce_scatter_single(out, x)


def reduced_together():
    parts = [torch.ones(4), torch.ones(2)]
    with counted():
        dist.all_reduce_coalesced(parts)


def exchanged_in_lists():
    given, taken = four_parts(), four_parts()
    with counted():
        dist.all_to_all(taken, given)


def group_all_reduce():
    x, group = torch.ones(4), dist.distributed_c10d._get_default_group()
    with counted():
        group.allreduce([x]).wait()


def group_all_gather():
    x, parts, group = torch.ones(4), four_parts(), dist.distributed_c10d._get_default_group()
    with counted():
        group.allgather([parts], [x]).wait()


def group_all_gather_of_one():
    x, out, group = torch.ones(4), torch.empty(16), dist.distributed_c10d._get_default_group()
    with counted():
        group._allgather_base(out, x).wait()


def group_reduce_scatter():
    x, parts, group = torch.ones(4), four_parts(), dist.distributed_c10d._get_default_group()
    with counted():
        group.reduce_scatter([x], [parts]).wait()


def group_reduce_scatter_of_one():
    x, out, group = torch.ones(16), torch.empty(4), dist.distributed_c10d._get_default_group()
    with counted():
        group._reduce_scatter_base(out, x).wait()


def group_all_to_all_of_one():
    x, out, group = torch.ones(4), torch.empty(4), dist.distributed_c10d._get_default_group()
    with counted():
        group.alltoall_base(out, x, [], []).wait()


def functional_gather_of_one():
    x = torch.ones(4)
    with counted():
        funcol.all_gather_single(x, 0, dist.group.WORLD)


def functional_reduce_scatter_of_one():
    x = torch.ones(4)
    with counted():
        funcol.reduce_scatter_single(x, "sum", 0, dist.group.WORLD)


def functional_reduction_of_several():
    parts = [torch.ones(4), torch.ones(2)]
    with counted():
        funcol.all_reduce_coalesced(parts, "sum", dist.group.WORLD)


def functional_gather_of_several():
    parts = [torch.ones(4), torch.ones(2)]
    with counted():
        funcol.all_gather_into_tensor_coalesced(parts, dist.group.WORLD)


def functional_reduce_scatter_of_several():
    parts = [torch.ones(4), torch.ones(8)]
    with counted():
        funcol.reduce_scatter_tensor_coalesced(parts, "sum", [0, 0], dist.group.WORLD)


def functional_permutation():
    x = torch.ones(4)
    with counted():
        funcol.permute_tensor(x, [1, 2, 3, 0], dist.group.WORLD)


def functional_gather_with_gradients():
    x = torch.ones(4, requires_grad=True)
    with counted():
        funcol.all_gather_tensor_autograd(x, 0, dist.group.WORLD)


def functional_gather_of_one_with_gradients():
    x = torch.ones(4, requires_grad=True)
    with counted():
        funcol.all_gather_single_autograd(x, 0, dist.group.WORLD)


def functional_reduce_scatter_with_gradients():
    x = torch.ones(4, requires_grad=True)
    with counted():
        funcol.reduce_scatter_tensor_autograd(x, "sum", 0, dist.group.WORLD)


def functional_reduce_scatter_of_one_with_gradients():
    x = torch.ones(4, requires_grad=True)
    with counted():
        funcol.reduce_scatter_single_autograd(x, "sum", 0, dist.group.WORLD)


def functional_all_to_all_with_gradients():
    x = torch.ones(4, requires_grad=True)
    with counted():
        funcol.all_to_all_single_autograd(x, None, None, dist.group.WORLD)


def operator_all_reduce():
    x, name = torch.ones(4), dist.group.WORLD.group_name
    with counted():
        torch.ops._c10d_functional.all_reduce_(x, "sum", name)


def operator_broadcast():
    x, name = torch.ones(4), dist.group.WORLD.group_name
    with counted():
        torch.ops._c10d_functional.broadcast_(x, 0, name)


def differentiable_reduce_scatter():
    x, parts = torch.ones(4), four_parts()
    with counted():
        nn_collectives.reduce_scatter(x, parts)


def differentiable_all_to_all():
    given, taken = four_parts(), four_parts()
    with counted():
        nn_collectives.all_to_all(taken, given)


def a_mesh_is_unflattened():
    mesh = init_device_mesh("cpu", (4,), mesh_dim_names=("world",))
    with counted():
        mesh._unflatten("world", (2, 2), ("dp", "tp"))


def tensor_from_local_shards():
    rank = dist.get_rank()
    shard = LocalShard.from_tensor_and_offsets(torch.ones(2, 4), [2 * rank, 0], rank)
    with counted():
        init_from_local_shards([shard], 8, 4)


def truth_of_one_element():
    x = DTensor.from_local(torch.ones(1), world_mesh(), [Shard(0)]).sum()
    with counted():
        x.__bool__()


def sequence_is_put_together():
    mesh, x = world_mesh(), torch.ones(2, 8)
    with counted():
        context_parallel_unshard(mesh, [x], [1])


def setting_all_state_from_rank_0():
    model = nn.Linear(4, 4)
    fully_shard(model, mesh=world_mesh())
    optimizer = torch.optim.Adam(model.parameters())
    whole = StateDictOptions(full_state_dict=True)
    weights, state = get_state_dict(model, optimizer, options=whole)
    with counted():
        set_state_dict(model, optimizer, model_state_dict=weights, optim_state_dict=state,
                       options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))


def a_state_dict_is_broadcast():
    weights = {"x": torch.ones(4)}
    local = {"x": torch.zeros(4)}
    with counted():
        _broadcast_state_dict(weights, local, device=torch.device("cpu"))


def a_state_dict_is_gathered():
    state = {"x": DTensor.from_local(torch.ones(2, 4), world_mesh(), [Shard(0)])}
    with counted():
        _gather_state_dict(state)


def full_optimizer_state():
    model, optimizer = sharded_model_and_optimizer()
    with counted():
        FullyShardedDataParallel.full_optim_state_dict(model, optimizer)


def sharded_optimizer_state():
    model, optimizer = sharded_model_and_optimizer()
    with counted():
        FullyShardedDataParallel.sharded_optim_state_dict(model, optimizer)


# It broadcasts what rank 0 alone has, and nothing where all have it.
def optimizer_state_to_load_fp():
    model, optimizer = sharded_model_and_optimizer()
    state = FullyShardedDataParallel.optim_state_dict(model, optimizer)
    with counted():
        FullyShardedDataParallel.optim_state_dict_to_load(model, optimizer, state)


def optimizer_state_to_load_from_rank_0():
    model, optimizer = sharded_model_and_optimizer()
    FullyShardedDataParallel.set_state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(rank0_only=True),
                                                 FullOptimStateDictConfig(rank0_only=True))
    state = FullyShardedDataParallel.optim_state_dict(model, optimizer)
    with counted():
        FullyShardedDataParallel.optim_state_dict_to_load(model, optimizer, state)


def optimizer_state_scattered():
    model, optimizer = sharded_model_and_optimizer()
    state = FullyShardedDataParallel.full_optim_state_dict(model, optimizer)
    state = state if dist.get_rank() == 0 else None
    with counted():
        FullyShardedDataParallel.scatter_full_optim_state_dict(state, model)


def optimizer_state_sharded():
    model, optimizer = sharded_model_and_optimizer()
    state = FullyShardedDataParallel.full_optim_state_dict(model, optimizer, rank0_only=False)
    with counted():
        FullyShardedDataParallel.shard_full_optim_state_dict(state, model)


def optimizer_state_flattened():
    model, optimizer = sharded_model_and_optimizer()
    state = FullyShardedDataParallel.sharded_optim_state_dict(model, optimizer)
    with counted():
        FullyShardedDataParallel.flatten_sharded_optim_state_dict(state, model, optimizer)


def gradients_unscaled():
    model, optimizer = sharded_model_and_optimizer()
    scaler = ShardedGradScaler(device="cpu")
    scaler.scale(model(torch.ones(1, 4)).sum()).backward()
    with counted():
        scaler.unscale_(optimizer)


def a_layer_is_wrapped():
    with enable_wrap(wrapper_cls=FullyShardedDataParallel, device_id=torch.device("cpu")):
        layer = nn.Linear(4, 4)
        with counted():
            wrap(layer)
