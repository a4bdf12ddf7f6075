"""Results of collectives that nothing takes, and tensors that are filled and looked at by nobody."""
import enum

import horovod.torch as hvd
import torch
import torch.distributed as dist
from mpi4py import MPI

comm = MPI.COMM_WORLD


def thrown_away_bad(x):
    comm.allreduce(x)  # expect: [lost-result] "gives its result back"
    return x


def averaged_bad(loss):
    hvd.allreduce(loss)  # expect: [lost-result] "gives its result back"
    return loss.item()


def taken_ok(x):
    total = comm.allreduce(x)
    return total


def returned_ok(x):
    return comm.bcast(x, root=0)


def handed_on_ok(x):
    print(comm.allreduce(x))


def meeting_ok():
    comm.allreduce(0)
    comm.bcast(None, root=0)


def root_has_it_ok(x):
    if comm.rank == 0:
        comm.bcast(x, root=0)
    else:
        x = comm.bcast(None, root=0)
    return x


def copied_bad(loss):
    dist.all_reduce(loss.detach().clone())  # expect: [lost-result] "`loss`"
    return loss


def of_a_number_bad(step, device):
    dist.broadcast(torch.tensor([step]).to(device), src=0)  # expect: [lost-result] "`step`"
    return step + 1


def divided_bad(total, count):
    dist.all_reduce(total / count)  # expect: [lost-result]
    return total


def same_memory_ok(loss):
    dist.all_reduce(loss.detach())
    return loss


def may_be_the_same_ok(loss):
    dist.all_reduce(loss.cuda())
    return loss


def in_one_piece_ok(loss):
    loss = loss.contiguous()
    dist.all_reduce(loss.contiguous())
    return loss


def named_ok(loss):
    total = loss.clone()
    dist.all_reduce(total)
    return loss, total


def never_read_ok(step, device):
    dist.all_reduce(torch.tensor([step]).to(device))


def sent_by_the_root_ok(step, device):
    if dist.get_rank() == 0:
        dist.broadcast(torch.tensor([step], device=device), src=0)
    else:
        held = torch.zeros(1, device=device)
        dist.broadcast(held, src=0)
        step = held.item()
    return step


def given_anew_ok(loss):
    dist.all_reduce(loss.clone())
    loss = torch.zeros(1)
    return loss


def twice_bad(a, b):
    dist.all_reduce(a)
    dist.all_reduce(a)  # expect: [lost-result] "`a`"
    dist.all_reduce(b)
    return a + b


def twice_by_name_bad(a):
    dist.all_reduce(a, op=dist.ReduceOp.SUM)
    dist.all_reduce(a, op=dist.ReduceOp.SUM)  # expect: [lost-result] "`a`"
    return a


def of_two_groups_ok(a, inner, outer):
    dist.all_reduce(a, group=inner)
    dist.all_reduce(a, group=outer)
    return a


def changed_between_ok(a):
    dist.all_reduce(a)
    a.div_(dist.get_world_size())
    dist.all_reduce(a)
    return a


def maximum_ok(a):
    dist.all_reduce(a, op=dist.ReduceOp.MAX)
    dist.all_reduce(a, op=dist.ReduceOp.MAX)
    return a


def warm_up_ok():
    held = torch.zeros(1)
    dist.all_reduce(held)
    dist.all_reduce(held)


class Leader:
    def tell(self, order):
        comm.bcast(order, root=0)
        return order


class Follower:
    def tell(self, order):
        return comm.bcast(None, root=0)


def by_roles_ok(order):
    role = Leader() if comm.rank == 0 else Follower()
    return role.tell(order)


def send_orders(order):
    comm.bcast(order, root=0)
    return order


def led_ok(order):
    if comm.rank == 0:
        send_orders(order)
    else:
        order = comm.bcast(None, root=0)
    return order


def meeting_by_a_tensor_ok():
    hvd.allreduce(torch.tensor(0), name="meeting")


def beside_ok(x):
    dist.all_reduce(torch.tensor([1], device=x.device))
    return x


def warmed_up_ok(x):
    dist.all_reduce(x.clone())
    dist.all_reduce(x)
    return x


def given_back_ok(values):
    mean = hvd.allreduce_(values.mean(dim=0))
    spread = hvd.allreduce_((values - mean).pow(2).mean(dim=0))
    return mean, spread


def given_back_and_dropped_bad(values):
    hvd.allreduce_(values - 1)  # expect: [lost-result] "fills a copy"
    return values


class Message(enum.Enum):
    GO = enum.auto()


class Controller:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.Get_rank()

    def go_ok(self, stages):
        self.comm.bcast(Message.GO, root=0)

    def next_ok(self, stages):
        assert self.rank == 0, "only the controller goes on"
        self.comm.bcast(stages, root=0)

    def any_rank_bad(self, stages):
        assert self.rank < 8
        self.comm.bcast(stages, root=0)  # expect: [lost-result] "`broadcast`"
        assert self.rank == 0
        return stages

    def next_bad(self, stages):
        self.comm.bcast(stages, root=0)  # expect: [lost-result] "`broadcast`"
        return stages


def main():
    controller = Controller(comm)
    controller.go_ok(3)
    controller.next_ok(3)
    controller.next_bad(3)
    controller.any_rank_bad(3)
