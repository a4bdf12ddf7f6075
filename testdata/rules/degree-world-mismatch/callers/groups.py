import torch.distributed as dist


class CheckedGroups:
    def __init__(self, world_size, sequence_parallel_size):
        self.sequence_parallel_size = sequence_parallel_size
        self.num_sequence_parallel_groups = world_size // sequence_parallel_size

    def make(self):
        for i in range(self.num_sequence_parallel_groups):
            dist.new_group([i * self.sequence_parallel_size + j for j in range(self.sequence_parallel_size)])


class Groups:
    def __init__(self, world_size, sequence_parallel_size):
        self.sequence_parallel_size = sequence_parallel_size
        self.num_sequence_parallel_groups = world_size // sequence_parallel_size  # expect: [degree-world-mismatch]

    def make(self):
        for i in range(self.num_sequence_parallel_groups):
            dist.new_group([i * self.sequence_parallel_size + j for j in range(self.sequence_parallel_size)])
