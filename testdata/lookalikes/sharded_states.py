"""Sharded models whose state all ranks ask for, and one of them writes."""
import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict, set_optimizer_state_dict
from torch.distributed.fsdp import FullStateDictConfig, FullyShardedDataParallel as FSDP, StateDictType, fully_shard


def full_state_by_all_ok(net, path):
    model = FSDP(net)
    config = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, config):
        state = model.state_dict()
    if dist.get_rank() == 0:
        torch.save(state, path)
    dist.barrier()


def optimizer_state_by_all_ok(net, optimizer, path):
    model = FSDP(net)
    state = FSDP.full_optim_state_dict(model, optimizer, rank0_only=True)
    if dist.get_rank() == 0:
        torch.save(state, path)


def dcp_by_all_ok(net, optimizer, folder):
    fully_shard(net)
    state = {"model": get_model_state_dict(net)}
    dcp.save(state, checkpoint_id=folder)
    if dist.get_rank() == 0:
        with open(os.path.join(folder, "done"), "w") as file:
            file.write("ok")
    dist.barrier()


def gathered_by_options_ok(net, path):
    fully_shard(net)
    state = get_model_state_dict(net, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    if dist.get_rank() == 0:
        torch.save(state, path)


def own_shards_from_a_copy_ok(net, optimizer, replica, state):
    # Without options each rank takes what is its own.
    fully_shard(net)
    if dist.get_rank() >= replica:
        set_optimizer_state_dict(net, optimizer, state)


def read_by_first_and_broadcast_ok(net, path):
    fully_shard(net)
    state = torch.load(path) if dist.get_rank() == 0 else {}
    set_model_state_dict(net, state, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))


def each_parameter_gathered_by_all_ok(net, path):
    fully_shard(net)
    whole = {}
    for name, parameter in net.named_parameters():
        full = parameter.full_tensor()
        if dist.get_rank() == 0:
            whole[name] = full.cpu()
    if dist.get_rank() == 0:
        torch.save(whole, path)


def norm_by_all_ok(net, loss, writer):
    fully_shard(net)
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0).full_tensor()
    if dist.get_rank() == 0:
        writer.add_scalar("norm", norm.item())


def summoned_by_all_ok(net):
    model = FSDP(net)
    with FSDP.summon_full_params(model, rank0_only=True, writeback=False, offload_to_cpu=True):
        if dist.get_rank() == 0:
            print(sum(p.norm().item() for p in model.parameters()))


def zero3_gather_ok(deepspeed, model, path):
    for name, parameter in model.named_parameters():
        with deepspeed.zero.GatheredParameters(parameter):
            if dist.get_rank() == 0:
                torch.save(parameter.data.cpu(), f"{path}.{name}")


def zero3_write_ok(deepspeed, layer):
    with deepspeed.zero.GatheredParameters(layer.weight, modifier_rank=0):
        if dist.get_rank() == 0:
            layer.weight.data.normal_()


def engine_save_ok(engine, folder, tag):
    engine.save_checkpoint(folder, tag=tag)
    if dist.get_rank() == 0:
        with open(os.path.join(folder, "latest.txt"), "w") as file:
            file.write(tag)


def whole_for_evaluation_ok(net, evaluate, batches):
    model = FSDP(net)
    total = torch.zeros(1, device="cuda")
    for batch in batches:
        total += evaluate(model, batch)
    dist.all_reduce(total)
    return total.item()


def tokenizer_on_first_ok(net, tokenizer, folder):
    model = FSDP(net)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(offload_to_cpu=True, rank0_only=True)):
        state = model.state_dict()
    if dist.get_rank() == 0:
        net.save_pretrained(folder, state_dict=state)
        tokenizer.save_pretrained(folder)
    dist.barrier()
