"""What a model is, said by a call that takes it or gives it back."""
import deepspeed
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def full_state_on_one_rank_bad(model, path):
    if dist.get_rank() == 0:
        with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(rank0_only=True)):
            state = model.state_dict()  # expect: [rank-guarded-state-dict] "`state_dict`"
        torch.save(state, path)
    dist.barrier()


def full_state_on_all_ok(model, path):
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(rank0_only=True)):
        state = model.state_dict()
    if dist.get_rank() == 0:
        torch.save(state, path)
    dist.barrier()


def another_model_ok(model, ema, path):
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT):
        model.state_dict()
    if dist.get_rank() == 0:
        torch.save(ema.state_dict(), path)


def engine_of_a_tuple_bad(args, net, batches):
    runner, _, _, _ = deepspeed.initialize(args=args, model=net)
    for step, batch in enumerate(batches):
        runner(batch)
        if dist.get_rank() == 0 and step % 100 == 0:
            runner.save_checkpoint(args.out)  # expect: [rank-guarded-state-dict] "`save_checkpoint`"


def optimizer_of_a_tuple_ok(args, net):
    _, optimizer, _, _ = deepspeed.initialize(args=args, model=net)
    if dist.get_rank() == 0:
        optimizer.save_checkpoint(args.out)


def saved_by_all_ok(args, net):
    runner, _, _, _ = deepspeed.initialize(args=args, model=net)
    runner.save_checkpoint(args.out)
    if dist.get_rank() == 0:
        print("saved")


def state_of(model):
    if isinstance(model, FSDP):
        with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(rank0_only=True)):
            return model.state_dict()
    return model.state_dict()


def asks_before_it_gathers_ok(model, path):
    if dist.get_rank() == 0:
        torch.save(state_of(model), path)  # silent: [taken-for-sharded]
