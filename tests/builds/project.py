"""A project whose files are read one by one by a build system, and what a plain check finds in it."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANKLINT = pathlib.Path(os.environ["RANKLINT"]).resolve()

FILES = {
    "src/model.py": "import torch.distributed as dist\n\n\ndef all_wait():\n    dist.barrier()\n",
    "src/train.py": "import torch.distributed as dist\nfrom model import all_wait\n\nif dist.get_rank() == 0:\n    all_wait()\n",
}


def findings_in(report):
    results = json.loads(pathlib.Path(report).read_text())["runs"][0]["results"]
    return [(r["ruleId"], r["message"]["text"], r["locations"][0]["physicalLocation"]) for r in results]


class Project(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for path, text in FILES.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_in(self, *command, **environment):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment})
        if done.returncode != 0:
            self.fail(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def found_by_check(self, *paths):
        """What a check without a build system finds."""
        report = self.folder / "plain.sarif"
        self.run_in(RANKLINT, "check", "--exit-zero", "--no-cache", "--output-file", report, *paths)
        return findings_in(report)
