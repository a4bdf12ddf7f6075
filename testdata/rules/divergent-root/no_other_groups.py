"""A project with data parallelism alone: its getters tell of the default group, whatever such names stand for elsewhere."""
import torch.distributed as dist


def everyone():
    return None


def rank_in(group):
    return dist.get_rank(group=group)


def size_of(group):
    return dist.get_world_size(group=group)


def get_data_parallel_group():
    return everyone()


def get_data_parallel_rank():
    return rank_in(get_data_parallel_group())


def get_data_parallel_world_size():
    return size_of(get_data_parallel_group())


class Trainer:
    @property
    def group(self):
        return get_data_parallel_group()

    @property
    def is_first(self):
        return get_data_parallel_rank() == 0

    def share_ok(self, state):
        dist.broadcast_object_list(state, src=0, group=self.group)

    def read_and_share_ok(self, path):
        state = [None]
        if self.is_first:
            state[0] = open(path).read()
        if get_data_parallel_world_size() > 1:
            dist.broadcast_object_list(state, src=0, group=self.group)
        return state[0]

    def average_on_the_first_bad(self, loss):
        if self.is_first:
            dist.all_reduce(loss)  # expect: [rank-guarded-collective] "`all_reduce` on `world`"
