# A root that is this rank on one side of a choice: the others have another on the other side.
import torch.distributed as dist


def own_or_first_ok(x, own):
    if own:
        dist.broadcast(x, src=dist.get_rank())  # silent: [chosen-argument]
    else:
        dist.broadcast(x, src=0)


def behind_an_option(x, args):
    if args.share:
        dist.broadcast(x, src=dist.get_rank())  # expect: [divergent-root] "`broadcast`"


def behind_what_the_tensor_is(x, group):
    if x.is_cpu:
        x = x.to("cuda")
    if not x.is_contiguous():
        x = x.contiguous()
    dist.broadcast(x, src=dist.get_rank())  # expect: [divergent-root] "`broadcast`"


def root_by_choice_ok(x, spread):
    if spread:
        dist.barrier()
    source = dist.get_rank() if spread else 0
    dist.broadcast(x, src=source)
