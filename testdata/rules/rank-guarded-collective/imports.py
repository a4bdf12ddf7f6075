"""One collective, every way to import it."""
import torch
import torch.distributed
import torch.distributed as dist
import torch.distributed.distributed_c10d as c10d
from torch import distributed
from torch import distributed as tdist
from torch.distributed import all_reduce as ar
from torch.distributed import barrier, get_rank

communicate = dist.all_reduce

try:
    from torch.distributed import monitored_barrier
except ImportError:

    def monitored_barrier(*_):
        raise NotImplementedError("this PyTorch has no monitored_barrier")


try:
    from torch.distributed import reduce
except ImportError:

    def reduce(*_):
        dist.barrier()
        raise SystemExit


try:
    from torch.distributed import broadcast
except ImportError:

    def broadcast(tensor, src):
        return tensor


def full_name_bad(x):
    if torch.distributed.get_rank() == 0:
        torch.distributed.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def module_alias_bad(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def submodule_from_package_bad(x):
    if distributed.get_rank() == 0:
        tdist.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def function_alias_bad(x):
    if get_rank() == 0:
        ar(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def plain_name_bad():
    if get_rank() == 0:
        barrier()  # expect: [rank-guarded-collective] "`barrier`"


def defining_module_bad(x):
    if c10d.get_rank() == 0:
        c10d.all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def variable_of_the_module_bad(x):
    if dist.get_rank() == 0:
        communicate(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def import_in_the_function_bad(x):
    from torch.distributed import all_reduce, get_rank as rank_of_this_process

    if rank_of_this_process() == 0:
        all_reduce(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def local_variable_bad(x):
    reduce_everywhere = dist.all_reduce
    if dist.get_rank() == 0:
        reduce_everywhere(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def other_package_with_the_same_names_ok(x):
    from spreadsheet import all_reduce, barrier as wall

    if get_rank() == 0:
        all_reduce(x)
        wall()


def shadowed_by_a_local_function_ok(x):
    def barrier():
        return None

    if get_rank() == 0:
        barrier()
    return x


def shadowed_by_a_parameter_ok(x, all_reduce):
    if get_rank() == 0:
        all_reduce(x)


def reference_without_a_call_ok(register):
    if get_rank() == 0:
        register(barrier)


def call_on_all_ranks_ok(x):
    ar(x)
    if get_rank() == 0:
        print(x)


def imported_where_there_is_one_bad():
    if get_rank() == 0:
        monitored_barrier()  # expect: [rank-guarded-collective] "`monitored_barrier`"


# What is defined in its place does something: which one runs is not known.
def defined_in_its_place_ok(x):
    if get_rank() == 0:
        broadcast(x, 0)


def defined_to_end_the_job_bad(x):
    if get_rank() == 0:
        reduce(x, 0)  # expect: [rank-guarded-collective] "`barrier`"
