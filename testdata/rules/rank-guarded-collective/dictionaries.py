"""Arguments that come in dictionaries: what is written into them is what the call is given."""
import torch.distributed as dist


def save(state, *, sync=False, **options):
    if sync:
        dist.all_reduce(state, **options)


def literal_bad(state):
    options = {"sync": True}
    if dist.get_rank() == 0:
        save(state, **options)  # expect: [rank-guarded-collective]


def literal_ok(state):
    options = {"sync": False}
    if dist.get_rank() == 0:
        save(state, **options)


def made_by_dict_ok(state):
    options = dict(sync=False)
    if dist.get_rank() == 0:
        save(state, **options)


def changed_ok(state):
    options = {"sync": True, "group": None}
    options["sync"] = False
    if dist.get_rank() == 0:
        save(state, **{**options, "group": None})


def changed_bad(state):
    options = {"sync": False}
    options["sync"] = True
    if dist.get_rank() == 0:
        save(state, **options)  # expect: [rank-guarded-collective]


def switch(state, **options):
    if "sync" in options and options["sync"]:
        dist.barrier()


def left_out_ok(state):
    if dist.get_rank() == 0:
        switch(state)


def given_bad(state):
    if dist.get_rank() == 0:
        switch(state, sync=True)  # expect: [rank-guarded-collective]


def read_back_ok(state):
    options = {"sync": False}
    if options["sync"] and dist.get_rank() == 0:
        dist.barrier()
