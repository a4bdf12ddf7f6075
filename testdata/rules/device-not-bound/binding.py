import os

import torch
import torch.distributed as dist
from devices import set_device


def bind_before_bad():
    torch.cuda.set_device(int(os.environ["RANK"]))  # expect: [device-not-bound] "no GPU of that number"
    dist.init_process_group("nccl")


def bind_after_groups_bad(degree):
    dist.init_process_group("nccl")
    group = dist.new_group(list(range(degree)))
    rank = dist.get_rank()
    torch.cuda.set_device(rank)  # expect: [device-not-bound] "after the process group is made"
    return group


def bind_remainder_ok():
    dist.init_process_group("nccl")
    seed = 17 + dist.get_rank()
    torch.manual_seed(seed)
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())


def bind_half_bad():
    dist.init_process_group("nccl")  # expect-note: "made here"
    torch.cuda.set_device(dist.get_rank() // 2)  # expect: [device-not-bound]


def bind_remainder_late_bad():
    dist.init_process_group("nccl")  # expect-note: "made here"
    dist.all_reduce(torch.ones(1, device="cuda"))  # expect: [device-not-bound] "`all_reduce` runs before"
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())


def bind_local_ok():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")


def bind_local_late_ok():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def bind_remainder_first_ok():
    torch.cuda.set_device(int(os.environ["RANK"]) % torch.cuda.device_count())
    dist.init_process_group("nccl")


def worker_ok(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.cuda.set_device(rank)


def current_ok(device):
    torch.cuda.set_device(device)
    torch.cuda.set_device(0)


def bind_in_setup_bad():
    if not dist.is_initialized():
        dist.init_process_group("nccl")
        set_device(dist.get_rank())  # expect: [device-not-bound]


def bind_in_setup_ok(local_rank):
    if not dist.is_initialized():
        dist.init_process_group("nccl")
        set_device(local_rank)


def bind_behind_a_barrier_ok(local_rank):
    dist.init_process_group("nccl")
    dist.barrier()  # silent: [picks-device]
    torch.cuda.set_device(local_rank)


def bind_behind_a_barrier_and_more_bad(local_rank):
    dist.init_process_group("nccl")
    dist.barrier()
    dist.all_reduce(torch.ones(1, device="cuda"))  # expect: [device-not-bound] "`all_reduce` runs before"
    torch.cuda.set_device(local_rank)


def bind_behind_a_warm_up_bad(local_rank, backend):
    if not dist.is_initialized():
        dist.init_process_group(backend)
        dist.all_reduce(torch.zeros(1).cuda())  # expect: [device-not-bound] "`all_reduce` runs before"
    torch.cuda.set_device(local_rank)


def bind_before_a_barrier_ok(local_rank):
    dist.init_process_group("nccl")
    torch.cuda.set_device(local_rank)
    dist.barrier()


def bind_by_the_group_ok(local_rank):
    dist.init_process_group("nccl", device_id=torch.device("cuda", local_rank))
    dist.barrier()
    torch.cuda.set_device(local_rank)


def bind_behind_a_barrier_of_cpus_ok(local_rank):
    dist.init_process_group("gloo")
    dist.barrier()
    torch.cuda.set_device(local_rank)


def told_the_local_rank_bad():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=int(os.environ["WORLD_SIZE"]))  # expect: [device-not-bound] "local rank"


def told_the_rank_ok():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl", rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))


def one_process_ok():
    dist.init_process_group("gloo", rank=int(os.environ["LOCAL_RANK"]), world_size=1)


def told_by_who_started_it_ok(local_rank, world_size):
    dist.init_process_group("nccl", rank=local_rank, world_size=world_size)


def told_the_local_rank_at_a_port_of_this_machine_ok(count):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29500", rank=int(os.environ["LOCAL_RANK"]), world_size=count)


def as_many_as_gpus_here_ok():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=torch.cuda.device_count())


def bind_remainder_for_the_local_rank_bad(rank, world_size, local_rank=-1):
    if not dist.is_initialized():
        dist.init_process_group("nccl", rank=rank, world_size=world_size)
        torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())  # expect: [device-not-bound]


def bind_what_the_launcher_gives_ok(args):
    if "LOCAL_RANK" in os.environ:
        args.gpu = int(os.environ["LOCAL_RANK"])
    else:
        args.gpu = int(os.environ["RANK"]) % torch.cuda.device_count()
    dist.init_process_group("nccl")
    torch.cuda.set_device(args.gpu)


def main_of_a_node_ok(gpu, gpus, args):
    args.local_rank = int(os.environ["SLURM_PROCID"])
    rank = args.local_rank * gpus + gpu
    dist.init_process_group("nccl", init_method=args.address, world_size=args.world_size, rank=rank)


def rank_from_a_list_ok(args):
    args.rank = args.ranks[int(os.environ["LOCAL_RANK"])]
    dist.init_process_group("nccl", init_method=args.address, world_size=args.world_size, rank=args.rank)


def as_many_as_there_are_gpus_ok():
    rank = int(os.environ["LOCAL_RANK"])
    count = torch.cuda.device_count()
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", world_size=count, rank=rank)


def bound_in_two_branches_bad(args):
    dist.init_process_group("nccl")
    dist.all_reduce(torch.ones(1, device="cuda"))  # expect: [device-not-bound] "meet on GPU 0"
    if args.whole:
        torch.cuda.set_device(args.gpu)
    else:
        torch.cuda.set_device(args.gpu)


def bound_twice_ok(x):
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.all_reduce(x)
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def used_before_bad(model):
    torch.zeros(1, device="cuda")  # expect: [device-not-bound] "the current GPU"
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")


def moved_before_bad(model):
    dist.init_process_group("nccl")
    model = model.cuda()  # expect: [device-not-bound] "the current GPU"
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    return model.cuda()


def used_with_its_number_ok(model):
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.zeros(1, device=f"cuda:{local_rank}")
    model = model.to("cpu")
    torch.cuda.set_device(local_rank)
    return model.cuda()


def used_where_alone_ok(model, alone):
    if alone:
        model = model.cuda()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return model


def used_before_an_object_bad(model):
    model = model.to("cuda")  # expect: [device-not-bound] "the current GPU"
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    return model


def chosen_by_the_user_ok(args, model):
    model = model.to("cuda")
    torch.cuda.set_device(args.chosen)
    return model


def bound_before_ok(model):
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = model.cuda()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return model


def named_device_bad(model):
    device = torch.device("cuda")
    model = model.to(device)  # expect: [device-not-bound] "the current GPU"
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return model


def bind_own():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def bound_in_a_helper_ok(model):
    bind_own()
    model = model.cuda()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return model


def bound_under_a_condition_ok(model, local_rank):
    if local_rank != -1:
        torch.cuda.set_device(local_rank)
    model = model.cuda()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return model


def under_its_device_ok(model):
    with torch.cuda.device(int(os.environ["LOCAL_RANK"])):
        model = model.cuda()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return model
