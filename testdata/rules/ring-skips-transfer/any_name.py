"""The exchange is known by what the function does, whatever it is called."""
import torch.distributed as dist


def pass_around(tensor, received, following, preceding):
    ops = [dist.P2POp(dist.isend, tensor, following), dist.P2POp(dist.irecv, received, preceding)]
    for work in dist.batch_isend_irecv(ops):
        work.wait()


def attend(keys, received, following, preceding):
    rank = dist.get_rank()
    for step in range(dist.get_world_size()):
        if step <= rank:
            pass_around(keys, received, following, preceding)  # expect: [ring-skips-transfer] "leave out the exchange"


def attend_in_step(keys, received, following, preceding):
    rank = dist.get_rank()
    for step in range(dist.get_world_size()):
        pass_around(keys, received, following, preceding)
        if step <= rank:
            keys = received
