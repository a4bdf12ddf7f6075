"""Where a name is read that nothing defines every rank fails, and does nothing of what follows."""
import os

import torch
import torch.distributed as dist

TABLE = {"last": "last.pt"}


def through_nothing_ok(folder):
    tools.say(folder)
    os.mkdir(folder)  # silent: [undefined-name]


def by_itself_ok(model):
    torch.save(model.state_dict(), last_path)  # silent: [undefined-name]


def on_one_way_bad(folder, says):
    if says:
        tools.say(folder)
    os.mkdir(folder)  # expect: [shared-file-written-by-all]


def further_down_bad(folder):
    os.mkdir(folder)  # expect: [shared-file-written-by-all]
    tools.say(folder)


def taken_bad(folder):
    try:
        tools.say(folder)
    except NameError:
        print("without tools")
    os.mkdir(folder)  # expect: [shared-file-written-by-all]


def seldom_asked_bad(folder, says):
    print(says and tools)
    os.mkdir(folder)  # expect: [shared-file-written-by-all]


def defined_bad(folder):
    global started
    started = True
    print(TABLE, __file__, [part for part in folder], isinstance(folder, str))

    def name():
        return folder + str(started)

    os.mkdir(name())  # expect: [shared-file-written-by-all]


def defined_elsewhere_bad(folder):
    print(started, later)
    os.mkdir(folder)  # expect: [shared-file-written-by-all]


def meets_ok():
    if dist.get_rank() == 0:
        tools.say("first")
        dist.barrier()  # silent: [undefined-name]


def main():
    dist.init_process_group("nccl")
    through_nothing_ok("a")
    by_itself_ok(None)
    on_one_way_bad("b", True)
    further_down_bad("c")
    taken_bad("d")
    seldom_asked_bad("e", True)
    defined_bad("f")
    defined_elsewhere_bad("g")
    meets_ok()


later = 1
