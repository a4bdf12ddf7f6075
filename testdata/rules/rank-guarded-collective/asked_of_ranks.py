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
    first = [r % 2 == 0 for r in range(8)]
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


def last_place_bad(x):
    is_last = [i == 3 for i in range(4)]
    if is_last[-1]:
        if dist.get_rank() == 0:
            dist.all_reduce(x)  # expect: [rank-guarded-collective]


def place_from_the_end_ok(x):
    n = dist.get_world_size()
    there = [r >= 0 for r in range(n)]
    if there[-dist.get_rank()]:
        dist.all_reduce(x)


def added_later_ok(x):
    mine = [r for r in (0, 1) if r == dist.get_rank()]
    mine.append(5)
    if mine:
        dist.all_reduce(x)


def changed_later_ok(x):
    n = dist.get_world_size()
    first = [i == 0 for i in range(n)]
    for i in range(n):
        first[i] = True
    if first[dist.get_rank()]:
        dist.all_reduce(x)


def any_of_the_world_ok(x):
    if any(r == dist.get_rank() for r in range(dist.get_world_size())):
        dist.all_reduce(x)


def all_of_some_ok(x):
    if all(dist.get_rank() >= r for r in (0, -1)):
        dist.all_reduce(x)


def peers_ok(x):
    peers = [r for r in range(dist.get_world_size()) if r != dist.get_rank()]
    if dist.get_world_size() > 1 and peers:
        dist.all_reduce(x)


def is_one_of_them_ok(x):
    mine = [r for r in range(dist.get_world_size()) if r == dist.get_rank()]
    if not mine:
        return
    dist.all_reduce(x)


def number_of_them_ok(x):
    if sum(r == dist.get_rank() for r in range(dist.get_world_size())) == 1:
        dist.all_reduce(x)


def first_of_them_ok(x):
    k = next(r for r in range(dist.get_world_size()) if r == dist.get_rank())
    if k >= 0:
        dist.all_reduce(x)


def peers_of_some_ok(x, ranks):
    peers = [r for r in ranks if r != dist.get_rank()]
    if peers:
        dist.all_reduce(x)


def peers_of_a_call_ok(x, cluster):
    if any(r == dist.get_rank() for r in cluster.ranks()):
        dist.all_reduce(x)


def captured_bad(x):
    rank = dist.get_rank()
    if any(rank == r for r in (0, 1)):
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def captured_and_filtered_bad(x):
    rank = dist.get_rank()
    if next((r for r in (0, 1) if r == rank), None) is None:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def captured_and_counted_bad(x):
    rank = dist.get_rank()
    if sum(rank == r for r in (0, 1)) > 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def captured_of_all_ok(x):
    rank = dist.get_rank()
    if any(rank == r for r in range(dist.get_world_size())):
        dist.all_reduce(x)


def captured_of_none_ok(x, wanted):
    if any(wanted == r for r in (0, 1)):
        dist.all_reduce(x)


def captured_from_list_ok(x, leads):
    rank = dist.get_rank()
    mine = [lead for lead in leads if any(rank == r for r in lead)]
    print(mine)
    dist.all_reduce(x)
