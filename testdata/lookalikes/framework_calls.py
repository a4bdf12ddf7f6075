"""Flags of APIs that all ranks call, type tests, and generators that both sides drain."""
import torch
import torch.distributed as dist
from lightning.pytorch.utilities import rank_zero_only
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict
from torch.distributed.fsdp import FullStateDictConfig, FullyShardedDataParallel, StateDictType
from torch.distributed.tensor import DTensor


def full_state_on_rank_zero(model, path):
    config = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FullyShardedDataParallel.state_dict_type(model, StateDictType.FULL_STATE_DICT, config):
        state = model.state_dict()
    if dist.get_rank() == 0:
        torch.save(state, path)
    dist.barrier()


def state_by_options(model, path):
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    state = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(state, path)


def load_from_rank_zero(model, path):
    state = torch.load(path) if dist.get_rank() == 0 else {}
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    set_model_state_dict(model, state, options=options)


def gradient_norm(gradients):
    norm = torch.linalg.vector_norm(torch.stack(gradients))
    if isinstance(norm, DTensor):
        norm = norm.full_tensor()
    return norm


def by_attribute(weight):
    if hasattr(weight, "device_mesh"):
        weight = weight.full_tensor()
    return weight


@rank_zero_only
def log_sparsity(metrics):
    for name, value in metrics.items():
        print(name, float(value))


def prune(metrics, x):
    dist.all_reduce(x)
    log_sparsity(metrics)


def stream(tensors):
    for tensor in tensors:
        dist.broadcast(tensor, src=0)
        yield tensor


def drained_by_both(tensors, write):
    if dist.get_rank() == 0:
        for tensor in stream(tensors):
            write(tensor)
    else:
        for _ in stream(tensors):
            pass


def collected_by_one_drained_by_the_rest(tensors):
    if dist.get_rank() == 0:
        return list(stream(tensors))
    for _ in stream(tensors):
        pass
    return None


class NoSync:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False


def accumulate(model, batches, every):
    for index, batch in enumerate(batches):
        if index % every:
            with model.no_sync():
                model(batch)
        else:
            model(batch)


if __name__ == "__main__":
    if dist.get_rank() == 0:
        print("main")
    dist.barrier()
