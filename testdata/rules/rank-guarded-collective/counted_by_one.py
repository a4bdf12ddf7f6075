"""What one rank alone counts or measures, compared with a limit that all know."""
import torch.distributed as dist

from scores import evaluate


def patience_bad(model, epochs, patience):
    without_gain, best = 0, 0.0
    for epoch in range(epochs):
        dist.barrier()  # expect: [rank-guarded-collective] "issued by ranks where `without_gain >= patience` is false and not by the other ranks"
        if dist.get_rank() == 0:
            score = evaluate(model, epoch)
            if score > best:
                best, without_gain = score, 0
            else:
                without_gain += 1
        if without_gain >= patience:
            break


def patience_of_all_ok(model, epochs, patience):
    without_gain, best = 0, 0.0
    for epoch in range(epochs):
        dist.barrier()
        score = evaluate(model, epoch)
        if score > best:
            best, without_gain = score, 0
        else:
            without_gain += 1
        if without_gain >= patience:
            break


def patience_that_is_told_ok(model, epochs, patience):
    without_gain = 0
    for epoch in range(epochs):
        dist.barrier()
        if dist.get_rank() == 0:
            without_gain += 1
        told = [without_gain]
        dist.broadcast_object_list(told, src=0)
        if told[0] >= patience:
            break


def limits_of_both_ok(model, epochs, patience, longer):
    # Each side has a limit of its own: what is asked is not the same.
    limit = longer
    if dist.get_rank() == 0:
        limit = patience
    if evaluate(model, epochs) >= limit:
        dist.barrier()
