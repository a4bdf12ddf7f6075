"""State of models that are whole where it is asked for: not sharded yet, or made by this rank for itself."""
import torch.distributed as dist
from models import Transformer
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard


def shard_from_first_ok(model, options):
    state = {}
    if dist.get_rank() == 0:
        state = get_model_state_dict(model, options=options)  # silent: [sharded-behind]
    fully_shard(model)
    return state


def shard_before_bad(model, options):
    fully_shard(model)
    if dist.get_rank() == 0:
        return get_model_state_dict(model, options=options)  # expect: [rank-guarded-state-dict] "`get_model_state_dict`"


WHOLE = StateDictOptions(full_state_dict=True)


def read(model, folder):
    state = get_model_state_dict(model, options=WHOLE)
    state.update(folder)
    return state


def convert_ok(config, folder):
    if dist.get_rank() == 0:
        model = config.build(device="cpu")
        read(model, folder)  # silent: [loaded-unwrapped]


def convert_trained_bad(model, folder):
    if dist.get_rank() == 0:
        read(model, folder)  # expect: [rank-guarded-state-dict] "`get_model_state_dict`"


def make_for_itself_ok(options, model):
    state = {}
    if dist.get_rank() == 0:
        whole = Transformer(options)
        whole.init_weights()
        state = get_model_state_dict(whole, options=WHOLE)  # silent: [loaded-unwrapped]
    set_model_state_dict(model, state, options=StateDictOptions(broadcast_from_rank0=True))


def shard_what_it_made_bad(options, wrap):
    if dist.get_rank() == 0:
        model = FSDP(Transformer(options))
        return get_model_state_dict(model, options=WHOLE)  # expect: [rank-guarded-state-dict] "`get_model_state_dict`"


def ask_for_inner_bad(engine):
    if dist.get_rank() == 0:
        model = engine.inner()
        return get_model_state_dict(model, options=WHOLE)  # expect: [rank-guarded-state-dict] "`get_model_state_dict`"


def parts_of_each_rank_ok(model):
    fully_shard(model)
    if dist.get_rank() == 0:
        return get_model_state_dict(model)


def parts_of_each_rank_in_memory_ok(model):
    fully_shard(model)
    if dist.get_rank() == 0:
        return get_model_state_dict(model, options=StateDictOptions(cpu_offload=True))
