"""Idioms of small repositories, one paper each: correct, and guilty at first sight."""
import os
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def sample_for_fid(model, count, batch, folder):
    """Every rank draws as many samples as the others; rank 0 packs them behind a barrier."""
    rank, world_size = dist.get_rank(), dist.get_world_size()
    total = -(-count // (batch * world_size)) * batch * world_size
    if rank == 0:
        os.makedirs(folder, exist_ok=True)
    dist.barrier()
    for step in range(total // (batch * world_size)):
        torch.save(model(batch), f"{folder}/{step * world_size + rank}.pt")
    dist.barrier()
    if rank == 0:
        pack(folder, count)
    dist.barrier()
    dist.destroy_process_group()


def pack(folder, count):
    torch.save(sorted(os.listdir(folder))[:count], folder + ".pt")


def log_mean_loss(running, steps, rank, logger):
    """All reduce; rank 0 writes."""
    mean = torch.tensor(running / steps)
    dist.all_reduce(mean, op=dist.ReduceOp.SUM)
    if rank == 0:
        logger.info("loss %.4f", mean.item() / dist.get_world_size())
    return mean


def save_every(model, step, every, rank, folder):
    if step % every == 0 and step > 0:
        if rank == 0:
            torch.save({"model": model.module.state_dict()}, f"{folder}/{step:07d}.pt")
        dist.barrier()


def reduce_dict(losses):
    """Names sorted, so that all ranks stack in one order; the mean is of use on rank 0 only."""
    world_size = dist.get_world_size()
    if world_size < 2:
        return losses
    with torch.no_grad():
        names = sorted(losses)
        values = torch.stack([losses[name] for name in names])
        dist.reduce(values, dst=0)
        if dist.get_rank() == 0:
            values /= world_size
    return dict(zip(names, values))


def is_main():
    return not dist.is_initialized() or dist.get_rank() == 0


def save_on_main(*args, **kwargs):
    if is_main():
        torch.save(*args, **kwargs)


class SmoothedValue:
    """A count and a total, reduced together when an epoch ends."""

    def __init__(self):
        self.count, self.total = 0, 0.0

    def update(self, value):
        self.count += 1
        self.total += value

    def synchronize_between_processes(self):
        if not (dist.is_available() and dist.is_initialized()):
            return
        pair = torch.tensor([self.count, self.total], dtype=torch.float64, device="cuda")
        dist.barrier()
        dist.all_reduce(pair)
        self.count, self.total = int(pair[0].item()), pair[1].item()


def train_one_epoch(model, loader, optimizer):
    """A loss that is no number on one rank is none on all: the gradients are the mean of all."""
    meter = SmoothedValue()
    model = DistributedDataParallel(model)
    for images, targets in loader:
        loss = model(images, targets)
        total = loss.detach().clone()
        dist.all_reduce(total)
        if not torch.isfinite(total):
            optimizer.zero_grad()
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(total.item())
    meter.synchronize_between_processes()
    return meter.total / max(meter.count, 1)


def gather_predictions(predictions):
    """Everybody gathers; who is not first gives nothing back."""
    everyone = [None] * dist.get_world_size()
    dist.all_gather_object(everyone, predictions)
    if not is_main():
        return None
    return [one for part in everyone for one in part]


def evaluate(model, loader):
    predictions = [model(batch).cpu() for batch in loader]
    gathered = gather_predictions(predictions)
    dist.barrier()
    if gathered is None:
        return {}
    return {"count": len(gathered)}


def early_stop(score, best, patience, rank):
    """Rank 0 decides, and tells."""
    stop = torch.zeros(1, dtype=torch.int64)
    if rank == 0 and score < best:
        stop[0] = int(patience == 0)
    dist.broadcast(stop, src=0)
    if stop.item():
        return True
    dist.barrier()
    return False


def resume_from_newest(folder):
    """The first looks for a checkpoint, and all take what it found."""
    found = [None]
    if dist.get_rank() == 0:
        files = sorted(os.listdir(folder))
        found[0] = files[-1] if files else None
    dist.broadcast_object_list(found, src=0)
    if found[0] is None:
        return None
    state = torch.load(os.path.join(folder, found[0]), map_location="cpu")
    dist.barrier()
    return state


def time_of_a_step(step, rank):
    torch.cuda.synchronize()
    start = time.perf_counter()
    step()
    dist.barrier()
    if rank == 0:
        print("took", time.perf_counter() - start)


def show_turn_by_turn(text):
    for turn in range(dist.get_world_size()):
        if dist.get_rank() == turn:
            print(turn, text, flush=True)
        dist.barrier()


def join_features(features):
    """Gradients flow through one's own part only."""
    parts = [torch.zeros_like(features) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, features)
    rank = dist.get_rank()
    return torch.cat(parts[:rank] + [features] + parts[rank + 1 :])


def centre(teacher_output, centre_of_all, momentum):
    batch_centre = teacher_output.sum(dim=0, keepdim=True)
    dist.all_reduce(batch_centre)
    batch_centre = batch_centre / (len(teacher_output) * dist.get_world_size())
    return centre_of_all * momentum + batch_centre * (1 - momentum)


@torch.no_grad()
def sinkhorn(scores, rounds):
    weights = torch.exp(scores).t()
    total = weights.sum()
    dist.all_reduce(total)
    weights /= total
    for _ in range(rounds):
        rows = weights.sum(dim=1, keepdim=True)
        dist.all_reduce(rows)
        weights /= rows
        weights /= weights.sum(dim=0, keepdim=True)
    return weights.t()


@torch.no_grad()
def shuffled_batch(images):
    """Momentum contrast: rank 0 shuffles, all take their part of the shuffled whole."""
    gathered = [torch.ones_like(images) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, images)
    whole = torch.cat(gathered)
    order = torch.randperm(whole.shape[0]).cuda()
    dist.broadcast(order, src=0)
    mine = order.view(dist.get_world_size(), -1)[dist.get_rank()]
    return whole[mine]
