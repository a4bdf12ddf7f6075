"""The GitHub Action: its script under the variables that a runner sets, with the inputs of action.yml."""

import os
import subprocess
import unittest

import yaml

from project import ROOT, RULE, Project


class Action(unittest.TestCase):
    def setUp(self):
        self.project = Project()
        self.addCleanup(self.project.close)
        self.action = yaml.safe_load((ROOT / "action.yml").read_text())

    def value(self, text, inputs):
        """`${{ inputs.name }}`, as a runner puts it in."""
        name = text.removeprefix("${{ inputs.").removesuffix(" }}")
        return inputs.get(name, self.action["inputs"][name]["default"])

    def runner(self):
        """The files that a runner hands to a step."""
        scratch = self.project.scratch
        for name in ("output", "summary", "path"):
            (scratch / name).touch()
        return {"GITHUB_ACTION_PATH": str(ROOT), "GITHUB_OUTPUT": str(scratch / "output"), "GITHUB_PATH": str(scratch / "path"),
                "GITHUB_STEP_SUMMARY": str(scratch / "summary"), "RUNNER_TEMP": str(scratch), "GITHUB_ACTIONS": "true"}

    def run_step(self, path=None, **inputs):
        inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
        step = self.action["runs"]["steps"][0]
        variables = {name: self.value(text, inputs) for name, text in step["env"].items()}
        base = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "RANKLINT"))}
        base["PATH"] = (path or self.project.folder_with_program()) + os.pathsep + base["PATH"]
        return subprocess.run(["bash", "-e", "-c", step["run"]], cwd=self.project.folder, env=base | self.runner() | variables,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def told(self, name):
        return (self.project.scratch / name).read_text()

    def test_a_finding_is_an_annotation_an_output_and_a_row_of_the_summary(self):
        run = self.run_step()
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertTrue(run.stdout.startswith("::error file=train.py,line=8,"), run.stdout)  # and nothing of the files that it keeps
        self.assertIn("findings=1\n", self.told("output"))
        self.assertIn(f"| train.py:8 | RL101 {RULE} | ", self.told("summary"))

    def test_a_clean_project_passes(self):
        (self.project.folder / "train.py").unlink()
        run = self.run_step()
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("findings=0\n", self.told("output"))
        self.assertNotIn("|", self.told("summary"))

    def test_findings_need_not_fail(self):
        self.assertEqual(self.run_step(fail_on_findings="false").returncode, 0)

    def test_flags_and_paths_are_handed_on(self):
        self.assertEqual(self.run_step(args="--ignore RL101 --min-confidence high").returncode, 0)
        self.assertEqual(self.run_step(paths="helper.py").returncode, 0)

    def test_inputs_are_words_and_never_commands(self):
        run = self.run_step(paths="$(touch burnt) ;touch burnt")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertFalse((self.project.folder / "burnt").exists())

    def test_code_scanning_gets_a_file(self):
        run = self.run_step(upload_sarif="true", fail_on_findings="false")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("sarif-file=ranklint.sarif\n", self.told("output"))
        self.assertIn(RULE, (self.project.folder / "ranklint.sarif").read_text())

    def test_a_wheel_is_installed_where_no_ranklint_is_there(self):
        nothing = self.project.scratch / "empty"
        nothing.mkdir()
        run = self.run_step(path=str(nothing), package=str(self.project.wheel()))
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("::error file=train.py", run.stdout)
        self.assertTrue(self.told("path").strip().endswith("ranklint/bin"))

    def test_nothing_is_installed_that_no_input_names(self):
        nothing = self.project.scratch / "empty"
        nothing.mkdir()
        run = self.run_step(path=str(nothing))
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("::error title=ranklint::no ranklint is on PATH, and the input `package` names no wheel", run.stdout)
        self.assertFalse((self.project.scratch / "ranklint").exists())

    def test_a_package_that_only_an_index_would_have_is_an_error(self):
        nothing = self.project.scratch / "empty"
        nothing.mkdir()
        (self.project.folder / "ranklint").mkdir()  # pip does not take a folder for a path that is written like a name
        for name in ("ranklint", "ranklint==0.1.0", "tools/ranklint-0.1.0-py3-none-any.whl"):
            run = self.run_step(path=str(nothing), package=name)
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn(f"expected the path or the address of a wheel in the input `package`, got `{name}`", run.stdout)
        self.assertFalse((self.project.scratch / "ranklint").exists())

    def test_every_variable_of_the_script_is_an_input(self):
        script = (ROOT / "packaging/github/check.sh").read_text()
        for name in self.action["runs"]["steps"][0]["env"]:
            self.assertIn(f"${name}", script.replace("${", "$"))


if __name__ == "__main__":
    unittest.main()
