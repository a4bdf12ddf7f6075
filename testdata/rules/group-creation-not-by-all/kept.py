"""Groups that are made when they are asked for first, and kept."""
import torch.distributed as dist

_groups = {}
_pairs = {}
_world_copy = None


def group_of(ranks):
    key = tuple(ranks)
    if key not in _groups:
        _groups[key] = dist.new_group(list(ranks))
    return _groups[key]


def copy_of_world():
    global _world_copy
    if _world_copy is None:
        _world_copy = dist.new_group()
    return _world_copy


def make_pairs():
    for i in range(dist.get_world_size() - 1):
        _pairs[(i, i + 1)] = dist.new_group([i, i + 1])


def pair(first, second):
    if len(_pairs) == 0:
        make_pairs()
    return _pairs[(first, second)]


def own_group_ok(x, size):
    rank = dist.get_rank()
    start = rank - rank % size
    return group_of(range(start, start + size))  # silent: [made-before]


def neighbours_ok():
    # Every rank has a neighbour on one side at least: all of them make the pairs, each where it comes by first.
    rank = dist.get_rank()
    before = pair(rank - 1, rank) if rank > 0 else None
    behind = pair(rank, rank + 1) if rank < dist.get_world_size() - 1 else None
    return before, behind


class Model:
    def __init__(self, inner):
        self.inner = inner
        self._copy = None

    @property
    def group(self):
        if self._copy is None:
            self._copy = dist.new_group()
        return self._copy

    def state(self):
        return self.inner.state_dict(), self.group


def state_of_rank_zero_ok(model: Model):
    # Training has asked for it long before.
    if dist.get_rank() == 0:
        return model.state()
    return None


def made_anew_bad(x):
    if dist.get_rank() == 0:
        group = dist.new_group([0])  # expect: [group-creation-not-by-all] "every rank has to create every group"
        return group
    return None


class Remade:
    def __init__(self):
        self.group = None

    def remake_bad(self):
        if dist.get_rank() == 0:
            self.group = dist.new_group([0])  # expect: [group-creation-not-by-all] "every rank has to create every group"


class Sampler:
    def __init__(self, members):
        self.members = members
        self.group = None

    def sample(self):
        if self.group is None:
            self.group = dist.new_group(self.members)
        return self.group

    def step_bad(self):
        if dist.get_rank() == 0:
            self.sample()  # expect: [group-creation-not-by-all] "every rank has to create every group"
        dist.barrier()


class Groups:
    """Keeps groups by their ranks."""

    def __init__(self):
        self.groups = {}

    def of(self, ranks):
        if ranks not in self.groups:
            self.groups[ranks] = dist.new_group(ranks)
        return self.groups[ranks]

    def profile_ok(self, count, x):
        ranks = tuple(range(count))
        self.of(ranks)
        if dist.get_rank() in ranks:
            dist.all_reduce(x, group=self.of(ranks))
        dist.barrier()
