"""The guard is here; the collective is five calls and four files away."""
import torch.distributed as dist

from app.session import Session


def run_bad(config, x):
    session = Session(config)
    if dist.get_rank() == 0:  # expect-note: "rank"
        session.finish(x)  # expect: [rank-guarded-collective] "`barrier`"


def run_ok(config, x):
    session = Session(config)
    session.finish(x)
    if dist.get_rank() == 0:
        print("finished")
