"""Shapes and types that follow from the rank."""
import torch
import torch.distributed as dist


def longer_by_rank_bad():
    x = torch.ones(dist.get_rank() + 1)
    dist.all_reduce(x)  # expect: [divergent-shape] "`all_reduce`"
    return x


def matrix_bad(width):
    rows = 4 if dist.get_rank() == 0 else 5
    x = torch.zeros(rows, width)
    dist.broadcast(x, src=0)  # expect: [divergent-shape] "`broadcast`"
    return x


def triangular_slice_bad(x, out):
    mine = x[: dist.get_rank() + 1]
    dist.all_gather_into_tensor(out, mine)  # expect: [divergent-shape] "`all_gather`"


def type_by_rank_bad(n):
    dtype = torch.bfloat16 if dist.get_rank() == 0 else torch.float32
    x = torch.empty(n, dtype=dtype)
    dist.broadcast(x, src=0)  # expect: [divergent-shape] "`broadcast`"
    return x


def constructor_in_each_arm_bad():
    if dist.get_rank() == 0:
        x = torch.zeros(8)
    else:
        x = torch.zeros(4)
    dist.all_reduce(x)  # expect: [divergent-shape] "`all_reduce`"
    return x


def share(x):
    dist.all_reduce(x)


def passed_to_a_callee_bad(x):
    share(x[dist.get_rank() :])  # expect: [divergent-shape] "`all_reduce`"


def other_part_in_each_arm_bad(x, n):
    if dist.get_rank() == 0:
        share(x[:n])  # expect: [divergent-shape] "a tensor of n on one rank and of 2 * n on another"
    else:
        share(x[: 2 * n])


def columns_bad(x, n):
    dist.all_reduce(x[:, : n - dist.get_rank()])  # expect: [divergent-shape] "of n on one rank and of n - 1 on another"


def cast_in_one_arm_bad(n):
    x = torch.zeros(n + 1, dtype=torch.float32)
    if dist.get_rank() == 0:
        x = x.bfloat16()
    dist.all_reduce(x)  # expect: [divergent-shape] "of bfloat16 on one rank and of float32 on another"


def same_shape_ok(n):
    x = torch.full((n,), float(dist.get_rank()))
    dist.all_reduce(x)
    return x


def world_size_ok():
    x = torch.zeros(dist.get_world_size())
    x[dist.get_rank()] = 1
    dist.all_reduce(x)
    return x


def equal_slices_ok(x, out, n):
    rank = dist.get_rank()
    mine = x[rank * n : (rank + 1) * n]
    dist.all_gather_into_tensor(out, mine)


def receive_buffer_of_equal_shape_ok(n, weights):
    if dist.get_rank() == 0:
        x = weights
    else:
        x = torch.empty_like(weights)
    dist.broadcast(x, src=0)
    return x


def objects_ok():
    payload = list(range(dist.get_rank()))
    everyone = [None] * dist.get_world_size()
    dist.all_gather_object(everyone, payload)
    return everyone


def padded_ok(items, width):
    x = torch.zeros(width)
    x[: dist.get_rank() + 1] = 1
    dist.all_reduce(x)
    return x


def same_shape_in_both_arms_ok(n):
    if dist.get_rank() == 0:
        x = torch.ones(n)
    else:
        x = torch.zeros(n)
    dist.all_reduce(x)
    return x


def last_part_shorter_ok(x, out, n):
    first = dist.get_rank() * n
    mine = x[first : min(first + n, x.shape[0])]
    dist.all_gather_into_tensor(out, mine)


def uneven_list_ok(sizes, x):
    everyone = [torch.empty(size) for size in sizes]
    dist.all_gather(everyone, x[: sizes[dist.get_rank()]])
    return everyone


def low_rank_factor_ok(x, rank):
    dist.all_reduce(torch.zeros(rank, 4))  # silent: [believed-rank]
    dist.all_reduce(x[:rank])


def turned_matrix_ok(x):
    if dist.get_rank() == 0:
        y = torch.zeros(2, 3)
    else:
        y = torch.zeros(3, 2)
    dist.all_reduce(y)


def padded_in_one_arm_ok(x, length):
    if dist.get_rank() == 0:
        x = torch.zeros(length)
    dist.all_reduce(x)


def paired_splits_ok(x, out, sent, received):
    dist.all_to_all_single(out, x[: dist.get_rank() + 1], received, sent)


def per_group_size_ok(x, mesh):
    dist.all_reduce(x[: mesh.get_local_rank("pp") + 1], group=mesh.get_group("dp"))


def same_type_under_two_names_ok(n):
    dtype = torch.half if dist.get_rank() == 0 else torch.float16
    dist.all_reduce(torch.empty(n, 2, dtype=dtype))


def cast_where_nothing_is_known_of_it_bad(x, n):
    if dist.get_rank() == 0:
        out = x.float()
    else:
        out = torch.empty(n, dtype=torch.float16)
    dist.broadcast(out, 0)  # expect: [divergent-shape] "a tensor of float32 on one rank and of float16 on another"
    return out


def cast_by_an_argument_bad(x, n):
    if dist.get_rank() == 0:
        out = x.to("cpu", torch.bfloat16)
    else:
        out = torch.empty(n, dtype=torch.float32)
    dist.broadcast(out, 0)  # expect: [divergent-shape] "a tensor of bfloat16 on one rank and of float32 on another"
    return out


def cast_in_both_arms_bad(x):
    dist.all_reduce(x.float() if dist.get_rank() == 0 else x.half())  # expect: [divergent-shape] "float32"


def numbers_against_default_bad(n):
    if dist.get_rank() == 0:
        counts = torch.tensor([1, 2, 3])
    else:
        counts = torch.zeros(3)
    dist.broadcast(counts, 0)  # expect: [divergent-shape] "of int64 on one rank and of the default type on another"


def filled_with_whole_numbers_bad(n):
    counts = torch.full((n,), 7) if dist.get_rank() == 0 else torch.empty(n)
    dist.broadcast(counts, 0)  # expect: [divergent-shape] "of int64 on one rank and of the default type on another"


def to_a_device_ok(x, device, n):
    if dist.get_rank() == 0:
        out = x.to(device)
    else:
        out = torch.empty(n, dtype=torch.float16, device=device)
    dist.broadcast(out, 0)
    return out


def default_may_be_set_ok(x, n):
    if dist.get_rank() == 0:
        out = x.float()
    else:
        out = torch.empty(n)
    dist.broadcast(out, 0)
    return out


def cast_back_ok(x, n):
    if dist.get_rank() == 0:
        out = x.float().to(torch.float16)
    else:
        out = torch.empty(n, dtype=torch.float16)
    dist.broadcast(out, 0)
    return out


def like_another_ok(x, y, n):
    if dist.get_rank() == 0:
        out = x.float().to(y)
    else:
        out = torch.empty(n, dtype=torch.float16)
    dist.broadcast(out, 0)
    return out


def numbers_of_one_type_ok():
    if dist.get_rank() == 0:
        counts = torch.tensor([1.0, 2.0])
    else:
        counts = torch.zeros(2)
    dist.broadcast(counts, 0)
