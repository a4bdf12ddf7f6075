"""Whether there is anything of what is gathered as an object."""
import torch.distributed as dist


def report_bad(failures, world_size):
    if not failures:
        return []  # expect: [data-dependent-collective] "`all_gather_object` on `world`"
    everywhere = [None] * world_size
    dist.all_gather_object(everywhere, failures)
    return everywhere


def collect_bad(rows):
    if len(rows) > 0:
        dist.gather_object(rows, None, dst=0)  # expect: [data-dependent-collective] "`gather_object` on `world`"


def gathered_first_ok(failures, world_size):
    everywhere = [None] * world_size
    dist.all_gather_object(everywhere, failures)
    if not failures:
        return []
    return everywhere


def another_is_asked_ok(names, failures, world_size):
    if not names:
        return []
    everywhere = [None] * world_size
    dist.all_gather_object(everywhere, failures)
    return everywhere


def none_of_it_everywhere_ok(failures, world_size, configured):
    if not configured:
        return []
    everywhere = [None] * world_size
    dist.all_gather_object(everywhere, failures or {})
    return everywhere
