"""PyTorch/XLA: a save is a meeting of all processes, of which some write."""
import torch_xla.core.xla_model as xm


def save_on_the_master_bad(state):
    if xm.is_master_ordinal():
        xm.save(state, "state.pt")  # expect: [rank-guarded-collective] "`barrier`"


def save_on_all_ok(state):
    xm.save(state, "state.pt")
    if xm.is_master_ordinal():
        print("saved")


def meet_bad(tag):
    if xm.get_ordinal() == 0:
        xm.rendezvous(tag)  # expect: [rank-guarded-collective] "`barrier`"


def mean_ok(loss):
    mean = xm.mesh_reduce("loss", loss, sum)
    if mean > 1:
        xm.rendezvous("high")
