"""Both sides of a rank test issue the matching calls."""
import torch
import torch.distributed as dist


def source_and_receivers(weights, buffer):
    if dist.get_rank() == 0:
        dist.broadcast(weights, src=0)
        return weights
    dist.broadcast(buffer, src=0)
    return buffer


def objects(config):
    if dist.get_rank() == 0:
        box = [config]
        dist.broadcast_object_list(box, src=0)
    else:
        box = [None]
        dist.broadcast_object_list(box, src=0)
    return box[0]


def sizes_then_bytes(payload):
    size = torch.zeros(1, dtype=torch.long)
    if dist.get_rank() == 0:
        size.fill_(len(payload))
        dist.broadcast(size, src=0)
        dist.broadcast(payload, src=0)
    else:
        dist.broadcast(size, src=0)
        payload = torch.empty(int(size.item()))
        dist.broadcast(payload, src=0)
    return payload


def gather_with_a_destination(x):
    if dist.get_rank() == 0:
        parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.gather(x, gather_list=parts, dst=0)
        return parts
    dist.gather(x, dst=0)
    return None


def dictionary_of_tensors(state, shapes):
    if dist.get_rank() == 0:
        for name in shapes:
            dist.broadcast(state[name], src=0)
    else:
        for name in shapes:
            state[name] = torch.empty(shapes[name])
            dist.broadcast(state[name], src=0)


def optional_tensors(tokens, labels, mask):
    if dist.get_rank() == 0:
        for item in (tokens, labels, mask):
            send_if_present(item)
    else:
        for item in (tokens, labels, mask):
            send_if_present(item)


def send_if_present(item):
    if item is not None:
        dist.broadcast(item, src=0)


def main_rank_prepares(make):
    batch = make() if dist.get_rank() == 0 else torch.empty(8)
    dist.broadcast(batch, src=0)
    return batch


def profile_or_not(step, profiler, x):
    if profiler and dist.get_rank() == 0:
        with profiler:
            dist.all_reduce(x)
    else:
        dist.all_reduce(x)


def ordered_execution(work):
    rank = dist.get_rank()
    for turn in range(dist.get_world_size()):
        if turn == rank:
            work()
            dist.barrier()
        else:
            dist.barrier()
