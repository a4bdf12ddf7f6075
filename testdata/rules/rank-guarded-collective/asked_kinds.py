"""Helpers that ask what they were given before they communicate, and what only a model in training does."""
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.tensor import DTensor


def is_sharded(model):
    return isinstance(model, FSDP) or any(isinstance(p, DTensor) for p in model.parameters())


def save_models(path, models):
    sharded = False
    if models:
        sharded = any(is_sharded(m) for m in models.values())
    if sharded:
        dist.barrier()
    torch.save(models, path)


def save_what_is_not_sharded_ok(models):
    if dist.get_rank() == 0:
        save_models("last.pt", models)  # silent: [taken-for-sharded]


def save_one(path, model):
    if isinstance(model, FSDP):
        dist.barrier()
    torch.save(model, path)


def save_one_ok(model):
    if dist.get_rank() == 0:
        save_one("last.pt", model)


def save_and_meet(path, model):
    torch.save(model, path)
    if path:
        dist.barrier()


def save_and_meet_bad(model):
    if dist.get_rank() == 0:
        save_and_meet("last.pt", model)  # expect: [rank-guarded-collective] "`barrier`"


class Captioner(torch.nn.Module):
    def embed(self, parts, x):
        if self.training:
            dist.all_gather(parts, x)
        return x

    @torch.inference_mode()
    def generate(self, parts, x):
        return self.embed(parts, x)

    def learn(self, parts, x):
        return self.embed(parts, x)


def caption_each_ok(captioner: Captioner, samples, parts):
    for sample in samples[dist.get_rank() :: dist.get_world_size()]:  # silent: [trains-without-gradients]
        captioner.generate(parts, sample)
    dist.barrier()


def learn_each_bad(captioner: Captioner, samples, parts):
    for sample in samples[dist.get_rank() :: dist.get_world_size()]:  # expect: [rank-dependent-loop]
        captioner.learn(parts, sample)
    dist.barrier()
