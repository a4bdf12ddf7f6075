import torch
import torch.distributed as dist
from megatron.core import parallel_state


def start_ok(seed):
    dist.init_process_group("nccl")
    parallel_state.initialize_model_parallel()
    torch.manual_seed(seed + dist.get_rank())
