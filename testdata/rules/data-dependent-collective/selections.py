"""Whether a mask keeps anything, asked by who exchanges what it keeps."""
import torch
import torch.distributed as dist


def nothing_kept_bad(accelerator, scores, mask, threshold):
    kept = scores[mask.bool()].float()
    if kept.numel() == 0:
        return torch.zeros_like(scores, dtype=torch.bool)  # expect: [data-dependent-collective] "its batch"
    everything = accelerator.gather(accelerator.pad_across_processes(kept, dim=0))
    return scores > torch.quantile(everything, threshold)


def no_valid_token_bad(losses, labels):
    valid = labels != -100
    kept = losses[valid]
    if not valid.any():
        return losses.new_zeros(())  # expect: [data-dependent-collective] "its batch"
    total = kept.sum()
    dist.all_reduce(total)
    return total


def counted_bad(losses, mask):
    kept = losses[mask]
    if len(kept) > 0:
        total = kept.sum()
        dist.all_reduce(total)  # expect: [data-dependent-collective] "its batch"


def summed_before_ok(losses, mask):
    kept = losses[mask]
    total = kept.sum() if kept.numel() > 0 else losses.new_zeros(())
    dist.all_reduce(total)
    return total


def kept_to_itself_ok(losses, mask, x):
    kept = losses[mask]
    if kept.numel() == 0:
        return None
    print(kept.mean())
    dist.all_reduce(x)
    return x


def picked_by_index_ok(x, index):
    kept = x[index]
    if kept.numel() == 0:
        return x
    dist.all_reduce(kept)
    return kept


def picked_in_one_tensor_ok(logits, mask, index, x):
    kept = logits[mask]
    if kept.numel() == 0:
        return x
    torch.gather(kept, 1, index)
    dist.all_reduce(x)
    return x


def normalised_bad(loss, labels):
    valid = labels != -100
    if valid.sum() == 0:
        return loss.sum() * 0  # expect: [data-dependent-collective] "its batch"
    count = valid.sum().float()
    dist.all_reduce(count)
    return loss.sum() / count


def any_of_mask_bad(loss, mask):
    if not mask.any():
        return loss.new_zeros(())  # expect: [data-dependent-collective] "its batch"
    count = mask.sum()
    dist.all_reduce(count)
    return loss.sum() / count


def asked_behind_ok(loss, labels):
    valid = labels != -100
    count = valid.sum().float()
    dist.all_reduce(count)
    if count == 0:
        return loss.sum() * 0
    dist.all_reduce(loss)
    return loss.sum() / count


def asked_once_agreed_ok(loss, mask):
    dist.all_reduce(mask)
    if not mask.any():
        return loss
    weighted = loss * mask
    dist.all_reduce(weighted)
    return weighted


def asked_of_gradients_ok(grads, group):
    if grads.sum() == 0:
        return grads
    dist.all_reduce(grads, group=group)
    return grads


def asked_behind_a_gather_ok(model, loader, limit, n):
    for batch in loader:
        mine = torch.tensor([model(batch)], device="cuda")
        every = [torch.zeros_like(mine) for _ in range(n)]
        dist.all_gather(every, mine)
        if torch.any(torch.stack(every) >= limit):
            break
    dist.barrier()
