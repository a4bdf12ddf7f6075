import torch
from parallel import get_sequence_parallel_rank, get_sequence_parallel_world_size, get_sp_group, gather_forward, get_rank, get_world_size


def wrapped_bad(forward):
    def parallel_forward(self, hidden_states):
        hidden_states = torch.chunk(hidden_states, get_sequence_parallel_world_size(), dim=-2)[get_sequence_parallel_rank()]  # expect: [sequence-not-padded]
        output = forward(self, hidden_states)
        return get_sp_group().all_gather(output, dim=-2)  # expect-note: "equal"

    return parallel_forward


def split_by_a_quotient_bad(x, blocks):
    sp_size = get_sequence_parallel_world_size()
    x = torch.split(x, x.size(1) // sp_size, dim=1)[get_sequence_parallel_rank()]  # expect: [sequence-not-padded]
    for block in blocks:
        x = block(x)
    return get_sp_group().all_gather(x, dim=1)


def split_in_given_sizes_ok(x, sizes_of_world_size, blocks):
    x = torch.split(x, sizes_of_world_size, dim=1)[get_sequence_parallel_rank()]
    return get_sp_group().all_gather(x, dim=1)


def method_of_tensor_bad(x, blocks):
    sp_rank = get_rank()
    pieces = x.chunk(get_world_size(), dim=1)  # expect: [sequence-not-padded]
    mask = torch.cat([torch.ones(3), torch.zeros(4)])
    x = pieces[sp_rank]
    for block in blocks:
        x = block(x, mask)
    return gather_forward(x.contiguous(), dim=1)


def size_of_a_sequence_group_bad(x, sp_group, blocks):
    world_size = get_world_size(sp_group)
    x = torch.chunk(x, world_size, dim=1)[get_rank(sp_group)]  # expect: [sequence-not-padded]
    for block in blocks:
        x = block(x)
    return sp_group.all_gather(x, dim=1)


def of_a_written_length_ok(blocks):
    whole = torch.rand(2, 128).cuda()
    x = whole.chunk(get_world_size(), dim=1)[get_rank()].clone()
    for block in blocks:
        x = block(x)
    return gather_forward(x, dim=1)


def of_a_given_length_bad(blocks, seq_len):
    whole = torch.rand(2, seq_len).cuda()
    x = whole.chunk(get_world_size(), dim=1)[get_rank()].clone()  # expect: [sequence-not-padded]
    for block in blocks:
        x = block(x)
    return gather_forward(x, dim=1)


def filled_up_ok(samples, seq_len, blocks):
    x = torch.cat([torch.cat([u, u.new_zeros(1, seq_len - u.size(1), u.size(2))], dim=1) for u in samples])
    x = torch.chunk(x, get_world_size(), dim=1)[get_rank()]
    for block in blocks:
        x = block(x)
    return gather_forward(x, dim=1)


def padded_behind_ok(x, blocks):
    pieces = torch.chunk(x, get_world_size(), dim=1)
    missing = pieces[0].shape[1] - pieces[-1].shape[1]
    x = torch.nn.functional.pad(pieces[get_rank()], (0, 0, 0, missing))
    for block in blocks:
        x = block(x)
    return get_sp_group().all_gather(x, dim=1)


def not_gathered_ok(x):
    return torch.chunk(x, get_world_size(), dim=1)[get_rank()]


def gate_ok(x, rank):
    shift, scale = x.chunk(2, dim=1)
    return get_sp_group().all_gather(shift * scale, dim=rank)
