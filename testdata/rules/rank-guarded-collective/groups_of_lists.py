# Who is in a group follows from the list that it was made of, also where the group is handed on: only members are
# compared.
import torch
import torch.distributed as dist

TRAINERS = 2
SERVER = 2


def hand_over(model, group):
    if group is None:
        return
    with torch.no_grad():
        for p in model.parameters():
            dist.broadcast(p.data, src=0, group=group)


def train(rank, model, group, epochs=2):
    for _ in range(epochs):
        if rank == 0:
            hand_over(model, group)


def serve(model, group, epochs=2):
    for _ in range(epochs):
        hand_over(model, group)


def bridge_ok(model):
    rank = dist.get_rank()
    bridge = dist.new_group(ranks=[0, SERVER])
    if rank < TRAINERS:
        train(rank, model, bridge if rank == 0 else None)
    else:
        serve(model, bridge)


def bridge_to_two_bad(model):
    rank = dist.get_rank()
    bridge = dist.new_group(ranks=[0, 1, SERVER])
    if rank < TRAINERS:
        if rank == 0:
            hand_over(model, bridge)  # expect: [rank-guarded-collective]
    else:
        hand_over(model, bridge)


def members_only_ok(x):
    rank = dist.get_rank()
    pair = dist.new_group([0, 3])
    if rank == 0 or rank == 3:
        dist.all_reduce(x, group=pair)


def one_member_missing_bad(x):
    rank = dist.get_rank()
    pair = dist.new_group([0, 3])
    if rank == 0:
        dist.all_reduce(x, group=pair)  # expect: [rank-guarded-collective]


def first_of_a_pair_bad(x):
    rank = dist.get_rank()
    pair = dist.new_group([0, 1])
    if rank == 0:
        dist.all_reduce(x, group=pair)  # expect: [rank-guarded-collective]


def without_the_first_rank_ok(x):
    rank = dist.get_rank()
    pair = dist.new_group([1, 2])
    if rank == 1 or rank == 2:
        dist.all_reduce(x, group=pair)


def without_the_first_rank_bad(x):
    rank = dist.get_rank()
    pair = dist.new_group([1, 2])
    if rank == 2:
        dist.all_reduce(x, group=pair)  # expect: [rank-guarded-collective]


def give_away(rank, x, group):
    if rank == 0:
        dist.all_reduce(x, group=group)  # expect: [rank-guarded-collective]


def give_away_among_two(x):
    rank = dist.get_rank()
    give_away(rank, x, dist.new_group([0, 1]))


class Sender:
    # A group of rank 0 and of others than this job's ranks.
    def __init__(self, engines, connect):
        self.group, self.own = None, None
        if dist.get_rank() == 0:
            self.group = connect(engines)
        dist.barrier()

    def hand_over(self, x):
        if dist.get_rank() == 0:
            dist.broadcast(x, 0, group=self.group)


class Member:
    def __init__(self, connect):
        self.group = connect()

    def hand_over_bad(self, x):
        if dist.get_rank() == 0:
            dist.broadcast(x, 0, group=self.group)  # expect: [rank-guarded-collective]
