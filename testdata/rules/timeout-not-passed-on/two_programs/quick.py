import torch.distributed as dist


def start(args):
    dist.init_process_group(args.backend)
