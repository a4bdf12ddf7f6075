#!/usr/bin/env python3
"""Checks C files with a program that cannot load its C++ module: without_cpp_test.py RANKLINT.

The program is copied beside a module that is no library, which is what a broken installation looks like; a build without the
module takes the same path. Nothing that it says may sound as if the C files had been checked.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
HANG = "#include <mpi.h>\nvoid f(int rank) { if (rank == 0) MPI_Barrier(MPI_COMM_WORLD); }\n"
FORMATS = ["full", "concise", "json", "jsonl", "sarif", "github", "html", "svg", "junit", "gitlab", "rdjson", "checkstyle"]


class WithoutCpp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.scratch.name)
        (root / "bin").mkdir()
        shutil.copy(PROGRAM, root / "bin/ranklint")
        (root / "bin/ranklint_cpp.so").write_text("no library\n")
        cls.program = root / "bin/ranklint"
        cls.project = root / "project"
        cls.project.mkdir()
        for name in ("x.c", "y.cpp"):
            (cls.project / name).write_text(HANG)
        (cls.project / "plain.c").write_text("int one(void) { return 1; }\n")
        (cls.project / "a.py").write_text("x = 1\n")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_in_project(self, *arguments):
        return subprocess.run([self.program, "check", "--isolated", *arguments], cwd=self.project, capture_output=True, text=True)

    def test_a_named_file_is_an_error_with_the_way_out(self):
        for name in ("x.c", "plain.c"):
            done = self.run_in_project(name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"ranklint: {name}: cannot be read: this build of ranklint cannot read C and C++: ", done.stderr)
            self.assertIn("use a build that has it", done.stderr)
            self.assertNotIn("No hazards found", done.stdout)

    def test_a_named_file_beside_others_is_an_error_too(self):
        done = self.run_in_project("a.py", "x.c")
        self.assertEqual(done.returncode, 2)
        self.assertIn("No hazards in what was checked of 1 file.", done.stdout)

    def test_a_module_of_another_build_is_not_called(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(PROGRAM, folder)
            stranger = pathlib.Path(folder) / "stranger.c"
            stranger.write_text('const char ranklint_cpp_layout[] = "another"; void ranklint_lower_cpp(void) { __builtin_trap(); }\n')
            subprocess.run(["cc", "-shared", "-fPIC", "-o", pathlib.Path(folder) / "ranklint_cpp.so", stranger], check=True)
            done = subprocess.run([pathlib.Path(folder) / PROGRAM.name, "check", "--isolated", self.project / "x.c"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("ranklint_cpp.so belongs to another build of ranklint", done.stderr)

    def test_there_is_no_ir_of_it(self):
        done = subprocess.run([self.program, "ir", "x.c"], cwd=self.project, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("x.c: cannot be read: this build of ranklint cannot read C and C++", done.stderr)

    def test_a_folder_is_checked_and_what_was_not_read_is_said_in_every_format(self):
        for name in FORMATS:
            done = self.run_in_project("--output-format", name)
            self.assertEqual(done.returncode, 0, name)
            if name != "sarif":  # which quotes the pages of the rules
                self.assertFalse("No hazards found" in done.stdout, name)
            said = done.stdout + ("" if name in ("full", "concise", "json", "sarif", "html", "github", "junit") else done.stderr)
            self.assertTrue("3 C or C++ files" in said, name)

    def test_programs_can_read_what_was_not_read(self):
        report = json.loads(self.run_in_project("--output-format", "json").stdout)
        self.assertEqual(report["unread"][0]["paths"], ["plain.c", "x.c", "y.cpp"])
        self.assertFalse(report["summary"]["complete"])
        invocation = json.loads(self.run_in_project("--output-format", "sarif").stdout)["runs"][0]["invocations"][0]
        self.assertTrue(invocation["executionSuccessful"])
        self.assertEqual(len(invocation["toolExecutionNotifications"]), 1)

    def test_it_fails_on_request(self):
        for flag in ("--fail-on-unread", "--strict"):
            done = self.run_in_project(flag, "--output-format", "sarif")
            self.assertEqual(done.returncode, 2)
            self.assertFalse(json.loads(done.stdout)["runs"][0]["invocations"][0]["executionSuccessful"])

    def test_the_files_are_listed(self):
        self.assertIn("x.c: not read: this build of ranklint cannot read C and C++", self.run_in_project("--show-incomplete").stdout)

    def test_what_is_left_out_is_no_gap(self):
        done = self.run_in_project("--strict", "--extend-exclude", "*.c,*.cpp")
        self.assertEqual((done.returncode, done.stdout), (0, "No hazards found in 1 file.\n"))


if __name__ == "__main__":
    unittest.main()
