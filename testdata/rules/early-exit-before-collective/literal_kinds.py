"""What a literal is an instance of is known: no number is a dictionary."""
import torch
import torch.distributed as dist


def shared(data):
    if isinstance(data, dict):
        return {k: shared(v) for k, v in data.items()}
    told = torch.tensor([data])
    dist.broadcast(told, 0)
    return told.item()


def count_of_the_first_ok(batches):
    count = 0
    if dist.get_rank() == 0:
        count = measured(batches)
    return shared(count)


def answered(data):
    if isinstance(data, str):
        return data
    dist.broadcast(data, 0)
    return data


def word_of_the_first_bad():
    answer = 0
    if dist.get_rank() == 0:
        answer = "nothing"
    return answered(answer)  # expect: [early-exit-before-collective] "`broadcast`"
