"""A scratch repository whose bug takes two files to see, and a wheel of the program under test."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RANKLINT = Path(os.environ.get("RANKLINT", ROOT / "build" / "ranklint")).resolve()

sys.path.insert(0, str(ROOT / "packaging" / "python"))
import ranklint_build  # noqa: E402, F401
import ranklint_wheel  # noqa: E402

HELPER = """import torch.distributed as dist


def log_loss(loss):
    dist.all_reduce(loss)
    print(loss)
"""
TRAIN = """import torch.distributed as dist

from helper import log_loss


def step(loss):
    if dist.get_rank() == 0:
        log_loss(loss)
"""
FINDING = "train.py:8:9"
RULE = "rank-guarded-collective"


def git(folder, *args):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *args], cwd=folder, check=True, capture_output=True)


def revision_of(folder):
    return subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, text=True).strip()


def write(folder, files):
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Project:
    """Lies in a folder of its own until it is closed; `helper.py` is committed, `train.py` is new."""

    def __init__(self):
        self.scratch = Path(tempfile.mkdtemp(prefix="ranklint-hooks-"))
        self.folder = self.scratch / "project"
        write(self.folder, {"helper.py": HELPER})
        git(self.folder, "init", "-q")
        git(self.folder, "add", ".")
        git(self.folder, "commit", "-qm", "a helper that communicates")
        write(self.folder, {"train.py": TRAIN})

    def close(self):
        shutil.rmtree(self.scratch)

    def folder_with_program(self):
        """For PATH."""
        folder = self.scratch / "bin"
        folder.mkdir(exist_ok=True)
        if not (folder / "ranklint").exists():
            (folder / "ranklint").symlink_to(RANKLINT)
        return str(folder)

    def wheel(self):
        """Without Clang's module, which these tests don't need."""
        stage = self.scratch / "stage"
        (stage / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(RANKLINT, stage / "bin/ranklint")
        return self.scratch / ranklint_wheel.write_wheel(stage, self.scratch, ROOT)
