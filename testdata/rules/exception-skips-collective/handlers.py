"""Exceptions that take one rank past what the others still do."""
import os
import socket
import tempfile

import torch
import torch.distributed as dist


def swallowed_bad(path, x):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")  # expect-note: "fails on one rank"
        dist.all_reduce(x)  # expect-note: "the others wait here"
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        print("no data")
    return x


def continued_bad(paths):
    for path in paths:
        try:
            x = torch.load(f"{path}.{dist.get_rank()}")
        except Exception:  # expect: [exception-skips-collective] "`all_reduce`"
            continue
        dist.all_reduce(x)


def returned_bad(path):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except FileNotFoundError:  # expect: [exception-skips-collective] "`broadcast`"
        return None
    dist.broadcast(x, src=0)
    return x


def shared_file_ok(path, x):
    # What can not be read can be read nowhere.
    try:
        x = torch.load(path)
    except OSError:
        print("made anew")
        return x
    dist.all_reduce(x)
    return x


def shared_folder_ok(folder, x):
    try:
        names = os.listdir(folder)
        with open(os.path.join(folder, names[0])) as file:
            print(file.read())
        dist.all_reduce(x)
    except Exception as error:
        print(error)


def written_bad(path, x):
    try:
        with open(path, "wb") as file:  # silent: [written-alike]
            torch.save(x, file)
        dist.barrier()
    except OSError:  # expect: [exception-skips-collective] "`barrier`"
        print("disk full")


def out_of_memory_bad(model, batch, status):
    try:
        loss = model(batch)
        dist.all_reduce(loss)
    except torch.cuda.OutOfMemoryError:  # expect: [exception-skips-collective] "`all_reduce`"
        status.fill_(1)
    dist.barrier()


def asked_for_memory_bad(model, batches):
    for batch in batches:
        try:
            loss = model(batch)
            loss.backward()
        except RuntimeError as e:  # expect: [exception-skips-collective] "`all_reduce`"
            if "out of memory" in str(e):
                torch.cuda.empty_cache()
                continue
            raise
        dist.all_reduce(loss)


def asked_for_memory_and_ended_ok(model, batches):
    for batch in batches:
        try:
            loss = model(batch)
        except RuntimeError as e:
            if "out of memory" in str(e):
                print("no memory")
            raise
        dist.all_reduce(loss)


def communicating_handler_bad(path, status):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        dist.all_reduce(status)
        return None
    return x


# Missed: that each rank has batches of its own.
def helper_in_the_try_fn(batches):
    for batch in batches:
        try:
            train(batch)
        except RuntimeError as error:
            print("skipping", error)


def train(batch):
    if batch is None:
        raise RuntimeError("empty batch")
    value = torch.load(batch)
    dist.all_reduce(value)


def make_folder(path):
    os.makedirs(path)


def one_after_the_other_bad(path):
    for rank in range(dist.get_world_size()):
        if rank == dist.get_rank():
            try:
                make_folder(path)
            except OSError:  # expect: [exception-skips-collective] "`barrier`"
                return False
        dist.barrier()
    return True


def swallowed_whatever_it_is_bad(path, x):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
        dist.all_reduce(x)
    except:  # expect: [exception-skips-collective] "`all_reduce`"
        print("no data")
    return x


def saved_and_met_bad(path, x):
    try:
        torch.save(x, f"{path}.{dist.get_rank()}")
        dist.barrier()
    except OSError:  # expect: [exception-skips-collective] "`barrier`"
        print("disk full")


def one_after_the_other_ok(path):
    made = True
    for rank in range(dist.get_world_size()):
        if rank == dist.get_rank():
            try:
                make_folder(path)
            except OSError:
                made = False
        dist.barrier()
    return made


def returned_where_some_communicate_ok(path, config):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except FileNotFoundError:
        return None
    if config.verbose:
        dist.broadcast(x, src=0)
    return x


def next_round_without_it_ok(paths, x):
    for path in paths:
        try:
            x += torch.load(f"{path}.{dist.get_rank()}")
        except OSError:
            continue
    dist.all_reduce(x)


def raised_again_ok(path, x):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
        dist.all_reduce(x)
    except OSError:
        print("no data")
        raise
    return x


def raised_as_another_ok(path):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except OSError as error:
        raise RuntimeError(path) from error
    dist.all_reduce(x)
    return x


def failure_as_a_value_ok(path, zero):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except OSError:
        x = zero
    dist.all_reduce(x)
    return x


def failure_as_an_agreed_flag_ok(path):
    failed = torch.zeros(1)
    x = None
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except OSError:
        failed.fill_(1)
    dist.all_reduce(failed)
    if failed.item():
        raise RuntimeError("some rank could not read its data")
    dist.broadcast(x, src=0)
    return x


def nothing_raises_before_the_collective_ok(x):
    try:
        dist.all_reduce(x)
    except RuntimeError:
        print("the group is broken on all ranks")
        return None
    return x


def optional_import_ok(x):
    try:
        import fast_kernels
    except ImportError:
        fast_kernels = None
    dist.all_reduce(x)
    return fast_kernels


def finally_ok(path, x):
    try:
        x += torch.load(f"{path}.{dist.get_rank()}")
    finally:
        dist.barrier()
    return x


def same_call_in_the_handler_ok(path, zero):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except OSError:
        dist.all_reduce(zero)
        return zero
    dist.all_reduce(x)
    return x


def local_try_ok(path, x):
    try:
        torch.save(x, f"{path}.{dist.get_rank()}")
    except OSError:
        print("can not write", path)
    dist.barrier()


def process_ends_ok(path):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
    except OSError:
        raise SystemExit(1)
    dist.all_reduce(x)
    return x


def folder_for_a_while_ok(path, x):
    # A `with` that unwinds raises again.
    try:
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/{path}.{dist.get_rank()}") as file:
                file.read()
            dist.barrier()
    finally:
        x.close()


def process_ends_around_a_finally_ok(path, x):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
        dist.all_reduce(x)
    except OSError:
        raise SystemExit(1)
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()


def raised_to_one_who_goes_on(path, x):
    try:
        try:
            x = torch.load(f"{path}.{dist.get_rank()}")
            dist.all_reduce(x)
        except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
            raise ValueError(path)
    except ValueError:
        print("left out", path)


def newest_that_can_be_read_ok(paths):
    found = [None]
    if dist.get_rank() == 0:
        for path in paths:
            try:
                torch.load(path)
                found[0] = path
                break
            except OSError:
                print("damaged", path)
    dist.broadcast_object_list(found, src=0)
    return found[0]


def interrupted_ok(path, x):
    try:
        x = torch.load(f"{path}.{dist.get_rank()}")
        dist.all_reduce(x)
    except KeyboardInterrupt:
        print("stopped by hand")
    return x


def file_of_the_host_bad(x):
    try:
        with open("/scratch/" + socket.gethostname()) as note:  # expect-note: "fails on one rank"
            note.read()
    except OSError:  # expect: [exception-skips-collective] "`all_reduce`"
        return None
    dist.all_reduce(x)
    return x


def file_of_the_process_bad(x):
    name = f"/scratch/{socket.gethostname()}/state"
    try:
        state = open(name)
    except FileNotFoundError:  # expect: [exception-skips-collective] "`all_reduce`"
        return None
    dist.all_reduce(x)
    return state


def file_of_all(path, x):
    try:
        with open(path) as note:
            text = note.read()
    except OSError:  # silent: [alike-on-ranks]
        return None
    dist.all_reduce(x)
    return text
