"""The base class of all exceptions catches whatever one rank raises, and the rank goes on to the broadcast."""
import torch.distributed as dist


def build_ok(store, rank=None):
    failure = None
    if rank == 0:
        try:
            if store is None or isinstance(store, str):
                raise ValueError("a ledger is needed")
        except BaseException as error:
            failure = error
    payload = [str(failure)]
    dist.broadcast_object_list(payload, src=0)
    return payload[0]


def build_bad(store, rank=None):
    failure = None
    if rank == 0:  # expect-note: "diverge"
        try:
            if store is None or isinstance(store, str):
                raise ValueError("a ledger is needed")
        except KeyError as error:
            failure = error
    payload = [str(failure)]
    dist.broadcast_object_list(payload, src=0)  # expect: [rank-guarded-collective]
    return payload[0]
