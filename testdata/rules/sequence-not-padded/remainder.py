import torch


def forward_ok(x, blocks, sp_size, sp_rank, sp_group):
    if x.shape[1] % sp_size != 0:
        raise ValueError("the sequence does not divide")
    x = torch.chunk(x, sp_size, dim=1)[sp_rank]
    for block in blocks:
        x = block(x)
    return sp_group.all_gather(x, dim=1)


def tensor_parallel_ok(weight, tp_size, tp_rank, tp_group):
    shard = torch.chunk(weight, tp_size, dim=0)[tp_rank]
    return tp_group.all_gather(shard, dim=0)
