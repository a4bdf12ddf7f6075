#!/usr/bin/env python3
"""The rule for Bazel (packaging/bazel/ranklint.bzl), in Bazel's sandbox: `./dev bazel`."""

import re
import shutil
import unittest

from project import RANKLINT, ROOT, Project, findings_in

MPI = """#include "steps.h"
#include <mpi.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) STEP(MPI_COMM_WORLD);
  MPI_Finalize();
}
"""
BUILD = """load("//tools:ranklint.bzl", "ranklint_check")
ranklint_check(
    name = "findings",
    srcs = glob(["src/**"]),
    data = ["//tools:module"],
    ranklint = "//tools:ranklint",
)
"""
TOOLS = """package(default_visibility = ["//visibility:public"])
exports_files(["ranklint"])
filegroup(name = "module", srcs = glob(["*.so"]))
"""


class Bazel(Project):
    def setUp(self):
        super().setUp()
        self.write("WORKSPACE", "")
        self.write("BUILD", BUILD)
        self.write("tools/BUILD", TOOLS)
        self.write("src/step.c", MPI)
        self.write("src/steps.h", "#define STEP(comm) MPI_Barrier(comm)\n")
        for file in (RANKLINT, RANKLINT.parent / "ranklint_cpp.so", ROOT / "packaging/bazel/ranklint.bzl"):
            shutil.copy(file, self.folder / "tools")
        self.addCleanup(self.run_in, "bazel", f"--output_user_root={self.folder}/out", "clean", "--expunge")

    def build(self):
        """How many files were read and how often all was judged."""
        output = self.run_in("bazel", f"--output_user_root={self.folder}/out", "build", "--subcommands", "//:findings")
        return [len(re.findall(rf"SUBCOMMAND: .*\[action '{verb}", output)) for verb in ("Reading", "Checking")]

    def test_the_rule_reads_by_itself_what_changed_and_finds_what_a_check_finds(self):
        self.assertEqual(self.build(), [3, 1])
        found = findings_in(self.folder / "bazel-bin/findings.sarif")
        self.assertEqual(found, self.found_by_check("src/model.py", "src/step.c", "src/train.py"))
        self.assertEqual(self.files_of(found), {"src/step.c", "src/train.py"})
        self.assertEqual(self.build(), [0, 0])
        self.write("src/model.py", "def all_wait():\n    pass\n")
        self.assertEqual(self.build(), [1, 1])
        self.assertEqual(self.files_of(findings_in(self.folder / "bazel-bin/findings.sarif")), {"src/step.c"})
        self.write("src/steps.h", "#define STEP(comm) (void)0\n")
        self.assertEqual(self.build(), [1, 1])
        self.assertEqual(findings_in(self.folder / "bazel-bin/findings.sarif"), [])

    @staticmethod
    def files_of(found):
        return {place["artifactLocation"]["uri"] for _, _, place in found}


if __name__ == "__main__":
    unittest.main()
