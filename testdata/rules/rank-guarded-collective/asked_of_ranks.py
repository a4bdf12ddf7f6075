# What is asked of each of some numbers, with the own rank among them.
import torch.distributed as dist


def any_bad(x):
    if any(dist.get_rank() == r for r in (0, 4)):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def any_ok(x):
    if any(dist.get_world_size() > n for n in (1, 4)):
        dist.all_reduce(x)


def all_bad(x):
    if all(dist.get_rank() != r for r in (0, 1)):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def any_of_list_bad(x):
    if any([dist.get_rank() == 0, dist.get_rank() == 1]):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def next_bad(x):
    mine = next(i for i, group in enumerate([[0, 1], [2, 3]]) if dist.get_rank() in group)
    if mine == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def next_ok(x, names):
    first = next(name for name in names if name)
    if first == "mean":
        dist.all_reduce(x)


def any_number_ok(x, scores):
    if any(score > 1 for score in scores):
        dist.all_reduce(x)


def quotient_bad(x):
    node, local = divmod(dist.get_rank(), 2)
    if local == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def rest_bad(x):
    if divmod(dist.get_rank(), 2)[1]:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def quotient_ok(x):
    nodes, left = divmod(dist.get_world_size(), 2)
    if left == 0:
        dist.all_reduce(x)


def place_bad(x):
    first = [r % 2 == 0 for r in range(dist.get_world_size())]
    if first[dist.get_rank()]:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def place_ok(x, sizes):
    even = [size % 2 == 0 for size in sizes]
    if even[0]:
        dist.all_reduce(x)


def there_bad(x):
    mine = [r for r in (0, 1) if r == dist.get_rank()]
    if mine:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def each_has_one_ok(x):
    for mine in [dist.get_rank() * n for n in (1, 2)]:
        dist.all_reduce(x)
