"""The hooks of .pre-commit-hooks.yaml under pre-commit itself, on a scratch repository."""

import os
import shutil
import subprocess
import sys
import unittest

from project import FINDING, ROOT, RULE, TRAIN, Project, git, revision_of, write

HOOK_FILES = (".pre-commit-hooks.yaml", "pyproject.toml", "CMakeLists.txt", "packaging/python")


def hook_repository(folder):
    """What a user's configuration names: the files that hooks are installed from, as a repository."""
    for name in HOOK_FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "hooks")
    return folder


class Hooks(unittest.TestCase):
    def setUp(self):
        self.project = Project()
        self.addCleanup(self.project.close)
        self.hooks = hook_repository(self.project.scratch / "hooks")

    def pre_commit(self, hook, *args, **environment):
        """Runs one hook on what is staged, with no index to install from."""
        config = f"repos:\n- repo: {self.hooks}\n  rev: {revision_of(self.hooks)}\n  hooks: [{{id: {hook}}}]\n"
        write(self.project.folder, {".pre-commit-config.yaml": config})
        git(self.project.folder, "add", ".pre-commit-config.yaml")
        base = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "RANKLINT"))}
        base |= {"PRE_COMMIT_HOME": str(self.project.scratch / "cache"), "PIP_NO_INDEX": "1"}
        return subprocess.run([sys.executable, "-m", "pre_commit", "run", "--color=never", hook, *args], text=True,
                              cwd=self.project.folder, env=base | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def configured(self, hook):
        """Commits the configuration of the hook, which is YAML and so a file that it looks at."""
        self.pre_commit(hook, **self.installed())
        git(self.project.folder, "commit", "-qm", "hooks", "--", ".pre-commit-config.yaml")

    def installed(self):
        return {"PATH": self.project.folder_with_program() + os.pathsep + os.environ["PATH"]}

    def test_installed_finds_what_a_staged_file_does_through_one_that_is_not(self):
        git(self.project.folder, "add", "train.py")
        run = self.pre_commit("ranklint-system", **self.installed())
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn(FINDING, run.stdout)
        self.assertIn(RULE, run.stdout)

    def test_a_clean_commit_passes_beside_a_finding_that_stands_elsewhere(self):
        git(self.project.folder, "add", "train.py")
        git(self.project.folder, "commit", "-qm", "a bug")
        write(self.project.folder, {"other.py": "import torch\n"})
        git(self.project.folder, "add", "other.py")
        run = self.pre_commit("ranklint-system", **self.installed())
        self.assertEqual(run.returncode, 0, run.stdout)
        run = self.pre_commit("ranklint-system-full", **self.installed())
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn(FINDING, run.stdout)

    def test_new_is_what_the_commit_adds_also_in_a_file_that_it_does_not_touch(self):
        write(self.project.folder, {"old.py": TRAIN})
        git(self.project.folder, "add", "old.py")
        git(self.project.folder, "commit", "-qm", "a bug of old")
        write(self.project.folder, {"other.py": "import torch\n"})
        git(self.project.folder, "add", "other.py")
        run = self.pre_commit("ranklint-system-new", **self.installed())
        self.assertEqual(run.returncode, 0, run.stdout)
        git(self.project.folder, "add", "train.py")
        run = self.pre_commit("ranklint-system-new", **self.installed())
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn(FINDING, run.stdout)
        self.assertNotIn("old.py", run.stdout)

    def test_a_commit_of_a_launch_script_alone_is_checked(self):
        launch = "#!/bin/bash\nexport NCCL_ALGO=Ring NCCL_PROTO=LL128\nexport RANK=0 WORLD_SIZE=8\ntorchrun --nproc_per_node=8 --nnodes=2 train.py\n"
        self.configured("ranklint-system")
        write(self.project.folder, {"launch.sh": launch})
        git(self.project.folder, "add", "launch.sh")
        run = self.pre_commit("ranklint-system", **self.installed())
        self.assertNotIn("Skipped", run.stdout)

    def test_nothing_runs_where_no_source_file_is_staged(self):
        self.configured("ranklint-system-full")
        write(self.project.folder, {"notes.txt": "none\n"})
        git(self.project.folder, "add", "notes.txt")
        run = self.pre_commit("ranklint-system-full", **self.installed())
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("Skipped", run.stdout)

    def test_packaged_brings_the_program_from_a_wheel(self):
        git(self.project.folder, "add", "train.py")
        for hook in ("ranklint", "ranklint-full"):
            run = self.pre_commit(hook, RANKLINT_WHEEL=str(self.project.wheel()), PATH=without_ranklint())
            self.assertEqual(run.returncode, 1, run.stdout)
            self.assertIn(FINDING, run.stdout)

    def test_a_wheel_that_is_not_there_is_named(self):
        git(self.project.folder, "add", "train.py")
        run = self.pre_commit("ranklint", RANKLINT_WHEEL="/nowhere/ranklint.whl")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("RANKLINT_WHEEL names /nowhere/ranklint.whl, which is not a file", run.stdout)


def without_ranklint():
    return os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if not os.path.exists(os.path.join(p, "ranklint")))


if __name__ == "__main__":
    unittest.main()
