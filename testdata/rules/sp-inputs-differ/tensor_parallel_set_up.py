"""A call that makes the groups of tensor parallelism, and one that makes groups of one rank."""
import torch
import torch.distributed as dist
from megatron.core import parallel_state


def start_ok(seed, tp):
    dist.init_process_group("nccl")
    parallel_state.initialize_model_parallel(tensor_model_parallel_size=tp)
    torch.manual_seed(seed + dist.get_rank())  # silent: [draws-not-seen]
