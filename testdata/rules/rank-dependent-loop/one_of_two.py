"""What a loop goes over is one of two, of which one is a share that ranks have more or less of."""
import torch.distributed as dist


def shares_where_asked_bad(items, options):
    mine = items[dist.get_rank()::dist.get_world_size()]
    todo = mine if options.deal_out else items
    for item in todo:  # expect: [rank-dependent-loop]
        dist.barrier()


def counted_shares_bad(items, options):
    if options.deal_out:
        todo = range(dist.get_rank(), len(items), dist.get_world_size())
    else:
        todo = range(len(items))
    for i, item in enumerate(todo):  # expect: [rank-dependent-loop]
        dist.barrier()


def alike_either_way_ok(items, others, options):
    for item in items if options.first else others:
        dist.barrier()


def apart_only_where_no_one_waits_ok(items, options):
    mine = items[dist.get_rank()::dist.get_world_size()]
    todo = mine if options.deal_out else items
    for item in todo:
        if not options.deal_out:
            dist.barrier()
