"""Objects go from rank to rank as two messages each, and the receiver names the wrong sender."""
import torch.distributed as dist

WORLD_SIZE = 3


def bad():
    box = [None]
    if dist.get_rank() == 0:
        dist.send_object_list([{"step": 1}], dst=1)
    elif dist.get_rank() == 1:
        dist.recv_object_list(box, src=2)


def good():
    box = [None]
    if dist.get_rank() == 0:
        dist.send_object_list([{"step": 1}], dst=1)
    elif dist.get_rank() == 1:
        dist.recv_object_list(box, src=0)
