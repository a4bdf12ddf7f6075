"""`pip wheel .`: what it says where something is missing, and that it leaves the system's packages alone."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from project import ROOT, Project, ranklint_build

# What would install a package of the system, or run what does.
INSTALLERS = ("apt-get", "apt", "aptitude", "dpkg", "sudo", "dnf", "yum")
LEFT_OUT = shutil.ignore_patterns(".git", ".tools", ".demo", ".oracle", "build", "build-*", "dist", "testdata", "__pycache__", "shared")


class SourceBuild(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="ranklint-source-"))
        cls.source = cls.scratch / "source"
        shutil.copytree(ROOT, cls.source, symlinks=True, ignore=LEFT_OUT)
        (cls.source / "dev").write_text(f"#!/bin/sh\ntouch {cls.scratch}/dev-was-called\nexit 1\n")
        bin_folder = cls.scratch / "bin"
        bin_folder.mkdir()
        for name in INSTALLERS:
            (bin_folder / name).write_text(f"#!/bin/sh\ntouch {cls.scratch}/{name}-was-called\nexit 1\n")
            (bin_folder / name).chmod(0o755)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def pip(self, command, *settings, **environment):
        """`pip COMMAND` of the source, where no package of the system can be installed: its exit status, what it said."""
        base = {name: value for name, value in os.environ.items() if not name.startswith("RANKLINT") and name not in ("CC", "CXX")}
        base["PATH"] = str(self.scratch / "bin") + os.pathsep + base["PATH"]
        options = [option for setting in settings for option in ("--config-settings", f"cmake.define.{setting}")]
        run = subprocess.run([sys.executable, "-m", "pip", *command, "--no-deps", *options, str(self.source)], cwd=self.scratch,
                             env=base | environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual([path.name for path in self.scratch.glob("*-was-called")], [])
        return run.returncode, " ".join(run.stdout.split())

    def failed_build(self, *settings, **environment):
        status, said = self.pip(["wheel", "--wheel-dir", str(self.scratch)], *settings, **environment)
        self.assertNotEqual(status, 0, said)
        return said

    def test_nothing_is_compiled_to_tell_name_and_version(self):
        status, said = self.pip(["install", "--dry-run"], "CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON")
        self.assertEqual(status, 0, said)
        self.assertIn("Would install ranklint-", said)

    def test_name_and_version_are_those_of_the_wheel_that_was_named(self):
        project = Project()
        self.addCleanup(project.close)
        status, said = self.pip(["install", "--dry-run"], RANKLINT_WHEEL=str(project.wheel()))
        self.assertEqual(status, 0, said)
        self.assertIn("Would install ranklint-", said)

    def test_without_a_compiler_it_says_so_and_what_brings_one(self):
        said = self.failed_build(CXX="no-such-compiler")
        wanted = f"no no-such-compiler on PATH. Debian: apt-get install {ranklint_build.DEBIAN_PACKAGES}. "
        self.assertIn(wanted, said)
        self.assertNotIn("Installing backend dependencies", said)

    def test_the_pages_name_the_same_packages(self):
        compiler, clang = ranklint_build.DEBIAN_PACKAGES.split(" clang-19 ")
        readme = " ".join((ROOT / "README.md").read_text().split())
        self.assertIn(f"`python3-venv {compiler}`, and for C and C++ in `clang-19 {clang}`", readme)
        page = " ".join((ROOT / "docs/install.md").read_text().replace("\\\n", " ").split())
        self.assertIn(f"apt-get install python3-venv {ranklint_build.DEBIAN_PACKAGES} ", page)

    def test_libraries_that_are_missing_are_named_together_with_their_packages(self):
        said = self.failed_build("CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON", "CMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON", "RANKLINT_CPP=OFF")
        self.assertIn("which are not here: CLI11, toml++.", said)
        self.assertIn("apt-get install libcli11-dev libtomlplusplus-dev", said)

    def test_without_clang_it_names_the_packages_and_the_way_to_do_without(self):
        said = self.failed_build("CMAKE_DISABLE_FIND_PACKAGE_Clang=ON")
        self.assertIn("clang-19 libclang-19-dev llvm-19-dev", said)
        self.assertIn("--config-settings=cmake.define.RANKLINT_CPP=OFF", said)


if __name__ == "__main__":
    unittest.main()
