import torch
import torch.distributed as dist


def swapped_batch_bad(k, v, next_rank, prev_rank):
    next_k, next_v = torch.empty_like(k), torch.empty_like(v)
    ops = [
        dist.P2POp(dist.isend, k, next_rank),
        dist.P2POp(dist.isend, v, next_rank),
        dist.P2POp(dist.irecv, next_v, prev_rank),  # expect: [batched-p2p-order] "receives into `v`"
        dist.P2POp(dist.irecv, next_k, prev_rank),
    ]
    dist.batch_isend_irecv(ops)


def swapped_by_parity_bad(hidden, mask, hidden_buf, mask_buf):
    rank = dist.get_rank()
    if rank % 2 == 0:
        dist.send(hidden, rank + 1)  # expect-note: "sent at this turn"
        dist.send(mask, rank + 1)
    else:
        dist.recv(mask_buf, rank - 1)  # expect: [batched-p2p-order] "sends from `hidden`"
        dist.recv(hidden_buf, rank - 1)


def mixed_in_the_batch_ok(k, v, next_rank, prev_rank):
    next_k, next_v = torch.empty_like(k), torch.empty_like(v)
    ops = [
        dist.P2POp(dist.irecv, next_k, prev_rank),
        dist.P2POp(dist.isend, k, next_rank),
        dist.P2POp(dist.irecv, next_v, prev_rank),
        dist.P2POp(dist.isend, v, next_rank),
    ]
    dist.batch_isend_irecv(ops)


def one_to_each_side_ok(left, right, next_rank, prev_rank):
    from_left, from_right = torch.empty_like(left), torch.empty_like(right)
    ops = [
        dist.P2POp(dist.isend, left, prev_rank),
        dist.P2POp(dist.isend, right, next_rank),
        dist.P2POp(dist.irecv, from_right, next_rank),
        dist.P2POp(dist.irecv, from_left, prev_rank),
    ]
    dist.batch_isend_irecv(ops)


def told_apart_by_tags_ok(k, v, next_k, next_v, next_rank, prev_rank):
    dist.isend(k, next_rank, tag=1)
    dist.isend(v, next_rank, tag=2)
    dist.recv(next_v, prev_rank, tag=2)
    dist.recv(next_k, prev_rank, tag=1)


def answers_ok(question, answer, peer):
    if dist.get_rank() == 0:
        dist.send(question, peer)
        dist.recv(answer, peer)
    else:
        dist.recv(question, peer)
        dist.send(answer, peer)


def each_neighbour_in_turn_ok(k, v):
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank % 2 == 0:
        peer = (rank - 1) % size
        dist.isend(k, peer)
        peer = (rank + 1) % size
        dist.isend(v, peer)
    else:
        peer = (rank - 1) % size
        dist.recv(v, peer)
        peer = (rank + 1) % size
        dist.recv(k, peer)


def one_neighbour_by_two_names_bad(k, v):
    peer = 1 - dist.get_rank()
    if dist.get_rank() == 0:
        to = peer
        dist.isend(k, peer)
        dist.isend(v, to)
    else:
        dist.recv(v, peer)  # expect: [batched-p2p-order] "receives into `v`"
        dist.recv(k, peer)


def one_tensor_by_two_names_bad(k, v, peer):
    first = k
    if dist.get_rank() == 0:
        dist.isend(first, peer)
        dist.isend(v, peer)
    else:
        dist.recv(v, peer)  # expect: [batched-p2p-order] "sends from `k`"
        dist.recv(k, peer)


def parts_of_a_tensor_bad(kv, peer):
    if dist.get_rank() == 0:
        dist.isend(kv[0], peer)
        dist.isend(kv[1], peer)
    else:
        dist.recv(kv[1], peer)  # expect: [batched-p2p-order] "receives into `kv[1]`"
        dist.recv(kv[0], peer)


def slices_of_a_tensor_bad(kv, n, peer):
    if dist.get_rank() == 0:
        dist.isend(kv[:n], peer)
        dist.isend(kv[n:], peer)
    else:
        dist.recv(kv[n:], peer)  # expect: [batched-p2p-order] "receives into `kv[...]`"
        dist.recv(kv[:n], peer)
