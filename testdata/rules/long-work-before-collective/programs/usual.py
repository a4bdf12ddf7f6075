import torch.distributed as dist
from huggingface_hub import snapshot_download


def fetch_bad(name):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        snapshot_download(name)  # expect: [long-work-before-collective] "for the group's time-out at most"
    dist.barrier()
