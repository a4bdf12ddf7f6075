# Who is among the numbers of a range is known of each rank, also where the module says its end by a name.
import torch.distributed as dist

NODES = 1
PER_NODE = 2
TRAINERS = NODES * PER_NODE
SERVER = TRAINERS


def serve(x, group):
    dist.all_reduce(x, group=group)


def work(x):
    rank = dist.get_rank()
    pair = dist.new_group([0, SERVER])
    if rank in range(0, TRAINERS):
        if rank == 0:
            serve(x, pair)
    elif rank == SERVER:
        serve(x, pair)


def work_of_the_first_bad(x):
    rank = dist.get_rank()
    pair = dist.new_group([0, SERVER])
    if rank in list(range(0, TRAINERS)):
        if rank == 0:
            serve(x, pair)  # expect: [rank-guarded-collective]


def first_eight_bad(x):
    if dist.get_rank() in range(0, 8):
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "issued by ranks 0-7 and not by the other ranks"


def odd_ones_bad(x):
    if dist.get_rank() in range(1, 100, 2):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def more_than_a_small_world_bad(x):
    if dist.get_rank() in list(range(0, 24)):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


if __name__ == "__main__":
    work(None)
    work_of_the_first_bad(None)
    first_eight_bad(None)
    odd_ones_bad(None)
    more_than_a_small_world_bad(None)
