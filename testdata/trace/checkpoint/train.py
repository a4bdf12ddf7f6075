"""Saves a checkpoint every fourth step; the loss that goes into its name is averaged on rank 0 alone."""
import torch
import torch.distributed as dist


def average(loss, group):
    dist.all_reduce(loss, group=group)
    return loss.item() / dist.get_world_size(group)


def save(model, loss, group):
    if dist.get_rank() == 0:
        name = average(loss, group)
        torch.save(model, f"checkpoint-{name}.pt")
    dist.barrier(group=group)


def train(model, steps):
    group = dist.new_group(group_desc="dp")
    for step in range(steps):
        loss = model(step)
        dist.all_reduce(loss, group=group)
        if step % 4 == 3:
            save(model, loss, group)
