import torch.distributed as dist


class Strategy:
    def __post_init__(self):
        if self.shard_size is None:
            self.shard_size = dist.get_world_size() // self.replicate_size
        elif self.replicate_size * self.shard_size != dist.get_world_size():
            raise ValueError("shards")
        if self.dp_size is None:
            self.dp_size = dist.get_world_size() // self.cp_size  # expect: [degree-world-mismatch] "`cp_size`"
        elif self.dp_size * self.cp_size != dist.get_world_size():
            raise ValueError("the product is not the number of ranks")
