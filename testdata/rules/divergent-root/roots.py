"""Sources and destinations."""
import torch
import torch.distributed as dist
from megatron.core import parallel_state


def own_rank_bad(x):
    dist.broadcast(x, src=dist.get_rank())  # expect: [divergent-root] "`broadcast`"


def variable_bad(x):
    rank = dist.get_rank()
    dist.reduce(x, dst=rank)  # expect: [divergent-root] "`reduce`"


def positional_bad(x):
    dist.broadcast(x, dist.get_rank())  # expect: [divergent-root] "`broadcast`"


def neighbour_bad(x, out):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    dist.gather(x, out if rank == 0 else None, dst=(rank + 1) % world_size)  # expect: [divergent-root] "`gather`"


def parity_bad(box):
    source = 0 if dist.get_rank() % 2 == 0 else 1
    dist.broadcast_object_list(box, src=source)  # expect: [divergent-root] "`broadcast_object_list`"


def group_rank_bad(x, mesh):
    dist.broadcast(x, src=mesh.get_local_rank("tp"), group=mesh.get_group("tp"))  # expect: [divergent-root] "`broadcast`"


def share(x, source):
    dist.broadcast(x, src=source)


def passed_to_a_callee_bad(x):
    share(x, dist.get_rank())  # expect: [divergent-root] "`broadcast`"


def other_root_in_each_arm_bad(x):
    if dist.get_rank() == 0:
        dist.broadcast(x, src=0)  # expect: [divergent-root] "`broadcast` on `world` has root 0 on one rank and 1 on another"
    else:
        dist.broadcast(x, src=1)


def same_root_in_each_arm_ok(x, y):
    if dist.get_rank() == 0:
        dist.broadcast(x, src=0)
        dist.broadcast(x, 1)
    else:
        dist.broadcast(y, 0)
        dist.broadcast(y, src=1)


def root_from_the_caller_in_one_arm_ok(x, y, source):
    if dist.get_rank() == 0:
        dist.broadcast(x, src=0)
    else:
        dist.broadcast(y, src=source)


def constant_ok(x):
    dist.broadcast(x, src=0)


def constant_passed_ok(x):
    share(x, 0)


def last_rank_ok(x):
    dist.broadcast(x, src=dist.get_world_size() - 1)


def each_in_turn_ok(tensors):
    for source in range(dist.get_world_size()):
        dist.broadcast(tensors[source], src=source)


def global_rank_of_the_first_ok(x, group):
    dist.broadcast(x, src=dist.get_global_rank(group, 0), group=group)


def source_rank_of_another_axis_ok(x):
    source = parallel_state.get_tensor_model_parallel_src_rank()
    dist.broadcast(x, src=source, group=parallel_state.get_tensor_model_parallel_group())


def agreed_source_ok(x, have_data):
    candidate = torch.tensor([dist.get_rank() if have_data else dist.get_world_size()])
    dist.all_reduce(candidate, op=dist.ReduceOp.MIN)
    dist.broadcast(x, src=int(candidate.item()))


def rank_as_data_ok(x):
    x.fill_(dist.get_rank())
    dist.broadcast(x, src=0)


def send_own(x):
    dist.broadcast(x, src=dist.get_rank())


def send_or_receive(x, holders):
    if isinstance(holders[x], int):
        dist.broadcast(x, src=holders[x])
    else:
        send_own(x)


def by_a_closure(x, holders):
    def send_own_part(part):
        dist.broadcast(part, src=dist.get_rank())

    def step():
        if isinstance(holders[x], int):
            dist.broadcast(x, src=holders[x])
        else:
            send_own_part(x)

    step()


def send_if_asked(x):
    dist.broadcast(x, src=dist.get_rank())  # expect: [divergent-root] "`broadcast`"


def under_an_option(x, args):
    if args.share:
        send_if_asked(x)


def send_always(x):
    dist.broadcast(x, src=dist.get_rank())  # expect: [divergent-root] "`broadcast`"


def by_all(x):
    send_always(x)
