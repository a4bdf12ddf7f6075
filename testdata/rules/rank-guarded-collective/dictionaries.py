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


def entry_of_this_rank_bad(x):
    state = {}
    state["rank"] = dist.get_rank()
    if state["rank"] == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def entry_looked_up_bad(x):
    state = {"rank": dist.get_rank()}
    if state.get("rank") == 0:
        dist.all_reduce(x)  # expect: [rank-guarded-collective]


def looked_up_of_a_choice_fn(x):  # not found: a method of one of two dictionaries
    state = {"save": False}
    if dist.get_rank() == 0:
        state["save"] = True
    if state.get("save"):
        dist.all_reduce(x)


def other_entries_ok(x, name):
    state = {"name": name}
    state["rank"] = dist.get_rank()
    if state["name"]:
        dist.all_reduce(x)
    if state.get("epoch", 0) == 0:
        dist.all_reduce(x)


def as_many_entries_ok(x):
    state = {}
    state["rank"] = dist.get_rank()
    for _ in state:
        dist.all_reduce(x)
    for _, _ in state.items():
        dist.all_reduce(x)
    if state:
        dist.all_reduce(x)
