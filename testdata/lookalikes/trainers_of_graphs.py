"""Training on graphs and games: workers that are spawned, one of which evaluates what it holds itself."""
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def run(rank, world_size, data, model, loaders, epochs):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(model.to(rank), device_ids=[rank])
    indices = data.train.split(data.train.size(0) // world_size)[rank]
    for epoch in range(epochs):
        loss = train(model, loaders.train(indices))
        dist.barrier()
        if rank == 0:
            print(epoch, loss)
            inner = model.module
            inner.eval()
            print(accuracy(inner, loaders.held_out))
        dist.barrier()
    dist.destroy_process_group()


def train(model, batches):
    last = None
    for batch in batches:
        last = model(batch).mean()
        last.backward()
    return last


@torch.no_grad()
def accuracy(model, batches):
    right = [model(batch.x).argmax(dim=-1).eq(batch.y).float().mean() for batch in batches]
    return torch.stack(right).mean()


def reward_of_all(rewards, lengths, rank):
    """The statistics of all episodes; the writer is rank 0's."""
    stats = torch.stack([rewards.sum(), lengths.sum(), torch.tensor(float(len(rewards)))])
    dist.all_reduce(stats)
    if rank != 0:
        return None
    return (stats[0] / stats[2]).item(), (stats[1] / stats[2]).item()


def learn(policy, rollouts, optimizer, rank, writer):
    for step, rollout in enumerate(rollouts):
        loss = policy.loss(rollout)
        optimizer.zero_grad()
        loss.backward()
        gradients = torch.cat([p.grad.view(-1) for p in policy.parameters() if p.grad is not None])
        dist.all_reduce(gradients)
        offset = 0
        for p in policy.parameters():
            if p.grad is not None:
                p.grad.copy_(gradients[offset : offset + p.numel()].view_as(p.grad) / dist.get_world_size())
                offset += p.numel()
        optimizer.step()
        told = reward_of_all(rollout.rewards, rollout.lengths, rank)
        if told is not None:
            writer.add_scalar("reward", told[0], step)


def main(data, model, loaders):
    world_size = torch.cuda.device_count()
    mp.spawn(run, args=(world_size, data, model, loaders, 10), nprocs=world_size)
