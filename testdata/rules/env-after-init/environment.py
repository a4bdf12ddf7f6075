import os

import torch.distributed as dist


def start_bad(master):
    dist.init_process_group("nccl")
    group = dist.new_group([0, 1])
    os.environ["TORCH_NCCL_ASYNC_ERROR_HANDLING"] = "1"  # expect: [env-after-init] "`TORCH_NCCL_ASYNC_ERROR_HANDLING`"
    os.environ.setdefault("MASTER_ADDR", master)  # expect: [env-after-init] "`MASTER_ADDR`"
    return group


def start_ok(master):
    os.environ["TORCH_NCCL_ASYNC_ERROR_HANDLING"] = "1"
    os.environ["MASTER_ADDR"] = master
    dist.init_process_group("nccl")
    os.environ["NCCL_DEBUG"] = "INFO"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def start_again_ok(master):
    dist.init_process_group("gloo")
    dist.destroy_process_group()
    os.environ["MASTER_PORT"] = "29501"
    dist.init_process_group("nccl")


def start_elsewhere_ok(ready):
    if not ready:
        dist.init_process_group("nccl")
    os.environ["TORCH_NCCL_ASYNC_ERROR_HANDLING"] = "1"
