"""Who makes groups asserts that the degrees make up the world, at the top of the way; another does not."""
from groups import CheckedGroups, Groups


class Context:
    def __init__(self, world_size, data_parallel_size, sequence_parallel_size):
        assert world_size == data_parallel_size * sequence_parallel_size, "degrees"
        self.world_size = world_size
        self.sequence_parallel_size = sequence_parallel_size
        self.make_groups()
        Groups(world_size, sequence_parallel_size).make()

    def make_groups(self):
        CheckedGroups(self.world_size, self.sequence_parallel_size).make()


def start(world_size, sequence_parallel_size):
    Groups(world_size, sequence_parallel_size).make()
