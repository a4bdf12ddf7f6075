"""Ranks that raise over what they alone have looked at."""
import os
import shutil
import sys
import time

import torch
import torch.distributed as dist


def fetch(source, path):
    shutil.copy(source, path)


def taken_bad(path):
    if dist.get_rank() == 0:
        if os.path.exists(path):
            raise FileExistsError(path)  # expect: [exception-skips-collective] "the file system"
        os.makedirs(path)
    dist.barrier()


def taken_where_initialised_bad(path):
    initialised = dist.is_initialized()
    if not initialised or dist.get_rank() == 0:
        if os.path.exists(path):
            raise FileExistsError(path)  # expect: [exception-skips-collective] "`barrier`"
    if initialised:
        dist.barrier()


def missing_bad(path, x):
    if dist.get_rank() == 0 and not os.path.isfile(path):
        raise FileNotFoundError(path)  # expect: [exception-skips-collective] "`broadcast`"
    dist.broadcast(x, src=0)


def barrier_in_both_arms_bad(path, fast):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            raise FileNotFoundError(path)  # expect: [exception-skips-collective] "`barrier`"
    if fast:
        dist.barrier()
    else:
        time.sleep(1)
        dist.barrier()


def barrier_in_a_loop_bad(path):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            raise FileNotFoundError(path)  # expect: [exception-skips-collective] "`barrier`"
    for _ in range(2):
        dist.barrier()


def missing(path):
    raise FileNotFoundError(path)


def raised_in_a_callee_bad(path):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            missing(path)  # expect: [exception-skips-collective] "`barrier`"
    dist.barrier()


def alone_in_the_world_ok(path):
    if dist.get_world_size() > 1:
        dist.barrier()
        return
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
    dist.barrier()


def barrier_in_one_arm_ok(path, fast):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
    if fast:
        dist.barrier()


def barrier_of_the_first_alone_ok(path):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
    if dist.get_rank() == 0:
        fetch(path, path + ".old")


def caught_and_raised_bad(source, path):
    if int(os.environ["LOCAL_RANK"]) == 0:
        try:
            fetch(source, path)
        except OSError as error:
            raise RuntimeError(f"no {source}") from error  # expect: [exception-skips-collective] "look at a failure"
    dist.barrier()


def raised_again_ok(source, path):
    if dist.get_rank() == 0:
        try:
            fetch(source, path)
        except OSError:
            os.remove(path)
            raise
    dist.barrier()


def raised_again_by_name_ok(source, path):
    if dist.get_rank() == 0:
        try:
            fetch(source, path)
        except OSError as error:
            if not os.path.exists(path):
                raise error
            os.remove(path)
    dist.barrier()


def not_converted_ok(results, log):
    if dist.get_rank() == 0:
        for name, value in results.items():
            try:
                value = float(value)
            except ValueError as error:
                raise ValueError(f"{name} is no number") from error
            log(name, value)
    dist.barrier()


def waited_too_long_bad(path):
    started = time.time()
    if dist.get_rank() == 0:
        while not os.path.exists(path):
            if time.time() - started > 60:
                raise TimeoutError(path)  # expect: [exception-skips-collective] "`barrier`"
            time.sleep(1)
    dist.barrier()


def told_first_ok(path):
    taken = torch.zeros(1)
    if dist.get_rank() == 0:
        taken.fill_(os.path.exists(path))
        dist.broadcast(taken, src=0)
        if os.path.exists(path):
            raise FileExistsError(path)
        os.makedirs(path)
    else:
        dist.broadcast(taken, src=0)
        if taken.item():
            raise FileExistsError(path)
    dist.barrier()


def checked_what_it_read_ok(path, wanted):
    if dist.get_rank() == 0:
        if os.path.exists(path):
            found = torch.load(path)
            for name in wanted:
                if name not in found:
                    raise KeyError(name)
    dist.barrier()


def passed_on_ok(source, path):
    if dist.get_rank() == 0:
        if os.path.islink(path):
            os.remove(path)
        try:
            os.symlink(source, path)
        except OSError:
            shutil.copy(source, path)
    dist.barrier()


def looked_at_by_all_ok(path):
    if not os.path.exists(path):
        raise FileNotFoundError(path)
    dist.barrier()


def checked_option_ok(path, config):
    if dist.get_rank() == 0:
        if not config.overwrite:
            raise ValueError("overwrite is off")
        os.makedirs(path)
    dist.barrier()


def barrier_in_any_case_ok(source, path):
    try:
        if dist.get_rank() == 0:
            if os.path.exists(path):
                raise FileExistsError(path)
            fetch(source, path)
    finally:
        dist.barrier()


def nobody_waits_ok(path):
    if dist.get_rank() == 0:
        if os.path.exists(path):
            raise FileExistsError(path)
        os.makedirs(path)


def another_group_ok(path, mesh, x):
    if mesh["tp"].get_local_rank() == 0:
        if os.path.exists(path):
            raise FileExistsError(path)
    dist.all_reduce(x, group=mesh["dp"].get_group())


def exit_where_missing_bad(path):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            print("no data")
            sys.exit()  # expect: [exception-skips-collective] "exit here"
    dist.barrier()


def exit_of_what_is_written_out_ok(path, model, optimizer, scheduler):
    """The library reads the same file, and ends alike."""
    if dist.get_rank() == 0:
        from megatron.checkpointing import load_checkpoint

        return load_checkpoint(model, optimizer, scheduler)
    try:
        state = torch.load(path)
    except KeyError:
        sys.exit()  # silent: [written-out]
    model.load_state_dict(state)
    dist.barrier()
    return None


def exit_beside_the_library_bad(path, model, optimizer, scheduler):
    if dist.get_rank() == 0:
        from megatron.checkpointing import load_checkpoint

        return load_checkpoint(model, optimizer, scheduler)  # expect: [rank-guarded-collective] "`load_checkpoint`"
    if not os.path.exists(path):
        sys.exit()  # expect: [exception-skips-collective] "exit here"
    return None


def exit_done_bad(path):
    if dist.get_rank() == 0:
        if os.path.exists(path):
            sys.exit(0)  # expect: [exception-skips-collective] "exit here"
    dist.barrier()


def exit_as_failed(path):
    # The launcher sees it, and ends the others; a replay has no launcher.
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            sys.exit(1)
    dist.barrier()


def exit_where_told_bad(path, config):
    if dist.get_rank() == 0:
        if config.only_prepare:
            sys.exit(0)  # expect: [early-exit-before-collective] "leaves here"
        os.makedirs(path)
    dist.barrier()


def exit_of_all_ok(path):
    if not os.path.exists(path):
        sys.exit(1)
    dist.barrier()


def no_member_ok(states, destination, group):
    """A group in which the destination is no member has none on any rank."""
    gathered = None
    if dist.get_rank() != destination:
        try:
            dist.get_group_rank(group, destination)
        except RuntimeError:
            raise ValueError("not in the group")
    else:
        gathered = [None] * dist.get_world_size()
    dist.gather_object(states, gathered, dst=destination)
