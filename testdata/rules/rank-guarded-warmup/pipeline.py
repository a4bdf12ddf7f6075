import torch
import torch.distributed as dist


def warmup_sequence_parallel(device, group):
    x = torch.zeros(8, device=device)
    dist.all_to_all_single(torch.empty_like(x), x, group=group)


class Pipeline:
    def __init__(self, device, group):
        self.device = device
        self.post_init(group)

    def post_init(self, group):
        warmup_sequence_parallel(self.device, group)

    @classmethod
    def load(cls, device, group):
        return cls(device, group)


def one_rank_builds_bad(device, prompt):
    encoded = [None]
    if dist.get_rank() == 0:
        encoded[0] = Pipeline.load(device, dist.group.WORLD).encode(prompt)  # expect: [rank-guarded-warmup] "warm-up further down"
    dist.broadcast_object_list(encoded, src=0)


def every_rank_builds_ok(device, prompt):
    pipeline = Pipeline.load(device, dist.group.WORLD)
    encoded = [pipeline.encode(prompt) if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(encoded, src=0)


def learning_rate_warmup(step, warmup_steps):
    return min(1.0, step / warmup_steps)


def no_communicator_ok(step):
    if dist.get_rank() == 0:
        print(learning_rate_warmup(step, 10))
    dist.barrier()
