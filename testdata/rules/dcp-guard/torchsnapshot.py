"""torchsnapshot: ranks write one snapshot together, and each reads from it what it likes."""
import torch.distributed as dist
from torchsnapshot import Snapshot


def take_bad(app_state, path):
    if dist.get_rank() == 0:
        Snapshot.take(path=path, app_state=app_state)  # expect: [dcp-guard] "`save_checkpoint`"


def restore_bad(app_state, path):
    snapshot = Snapshot(path)
    if dist.get_rank() == 0:
        snapshot.restore(app_state)  # expect: [dcp-guard] "`load_checkpoint`"


def take_ok(app_state, path):
    snapshot = Snapshot.take(path=path, app_state=app_state)
    if dist.get_rank() == 0:
        print(snapshot.get_manifest())


def read_ok(path):
    if dist.get_rank() == 0:
        return Snapshot(path).read_object("0/progress/steps")
    return None
