"""The exit in one function, the collective in another."""
import torch.distributed as dist


class StopTraining(Exception):
    pass


def exception_class_fn(step, x):  # not found: a rank that raises on its own number is taken for a check of its input
    if dist.get_rank() == 0 and step > 100:
        raise StopTraining(step)
    dist.all_reduce(x)


def skip_on_rank(rank):
    return rank % 2 == 1


def exit_by_a_returned_flag_bad(x):
    if skip_on_rank(dist.get_rank()):
        return None  # expect: [early-exit-before-collective] "`all_reduce`"
    dist.all_reduce(x)
    return x


def nothing_to_skip(step):
    return step % 10 != 0


def exit_by_a_uniform_flag_ok(x, step):
    if nothing_to_skip(step):
        return None
    dist.all_reduce(x)
    return x


class Callback:
    def __init__(self, trainer):
        self.trainer = trainer

    def on_log_bad(self, counts):
        if not self.trainer.is_world_process_zero:
            return None  # expect: [early-exit-before-collective] "`all_gather_object`"
        return self.gather_counts(counts)

    def gather_counts(self, counts):
        everyone = [None] * dist.get_world_size()
        dist.all_gather_object(everyone, counts)
        return everyone

    def on_log_ok(self, counts):
        everyone = self.gather_counts(counts)
        if not self.trainer.is_world_process_zero:
            return None
        return everyone


def other_axis_ok(x, mesh):
    if mesh.get_local_rank("tp") != 0:
        return
    dist.all_reduce(x, group=mesh.get_group("dp"))


def same_axis_bad(x, mesh):
    if mesh.get_local_rank("dp") != 0:
        return  # expect: [early-exit-before-collective] "`all_reduce`"
    dist.all_reduce(x, group=mesh.get_group("dp"))


def finally_meets_all_ok(x, write):
    try:
        if dist.get_rank() != 0:
            return
        write(x)
    finally:
        dist.barrier()


def nested_exit_bad(x, items):
    for item in items:
        if item:
            if dist.get_rank() == 0:
                return item  # expect: [early-exit-before-collective] "`barrier`"
    dist.barrier()
    return None
