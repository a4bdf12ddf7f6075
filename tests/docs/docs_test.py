"""Runs every command of README.md, docs/*.md and what packages say of themselves, each page in a project of its own, and compares what is printed.

RANKLINT_UPDATE=1 writes what is printed now into the pages. What needs another machine than this one (an editor, a package
manager) is not run; `./dev` is only asked whether it has the subcommand, and of a test program, which may take minutes,
the source is asked for the flags.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from pages import File, Given, Quote, matches, read_page, with_outputs

ROOT = Path(__file__).resolve().parents[2]
RANKLINT = Path(os.environ.get("RANKLINT", ROOT / "build" / "ranklint")).resolve()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "packaging/about.md", ROOT / "editors/vscode/README.md"]
ELSEWHERE = ("pip ", "npm ", "dpkg ", "code ", "pre-commit ")
PROJECT = ROOT / "testdata/rules/rank-guarded-collective/pipeline"  # for pages that bring no file
OURS = ("analyzer", "frontends", "rules", "runtime", "app", "tests", "testdata", "docs", "cmake", "bench", "packaging", "editors")
DUMPS = ROOT / "testdata/trace/checkpoint/pickles"


def subcommands_of_dev():
    usage = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^\./dev (\S+)", usage, re.MULTILINE))


class Folder:
    """Where a page is tried: git knows who commits, PATH has ranklint, and nothing else of the machine is seen."""

    def __init__(self, steps):
        self.scratch = Path(tempfile.mkdtemp(prefix="ranklint-docs-"))
        self.work = self.scratch / "project"
        self.work.mkdir()
        (self.scratch / "bin").mkdir()
        (self.scratch / "bin/ranklint").symlink_to(RANKLINT)
        (self.scratch / ".gitconfig").write_text("[user]\nname = a\nemail = a@b\n[init]\ndefaultBranch = main\n")
        if not any(isinstance(step, File) and step.name.endswith((".py", ".c")) for step in steps):
            shutil.copytree(PROJECT, self.work / "src")
            shutil.copy(PROJECT / "video/training/model.py", self.work / "train.py")
            shutil.copytree(DUMPS, self.work / "dumps")

    def close(self):
        shutil.rmtree(self.scratch)

    def write(self, file):
        path = self.work / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)

    def bring(self, given):
        source, path = ROOT / given.source, self.work / given.name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, path)

    def commit(self):
        self.run("git init -q . && git add -A && git commit -qm 'as it is'")

    def run(self, command):
        path = f"{self.scratch / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": str(self.scratch), "LANG": "C.UTF-8", "XDG_CACHE_HOME": str(self.scratch / "cache")}
        return subprocess.run(["bash", "-c", command], cwd=self.work, env=environment, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Page(unittest.TestCase):
    def __init__(self, path):
        super().__init__("runTest")
        self.path = path
        self.maxDiff = None

    def __str__(self):
        return f"every command of {self.path.relative_to(ROOT)} does what the page says"

    def runTest(self):
        text = self.path.read_text()
        steps = read_page(text)
        folder = Folder(steps)
        self.addCleanup(folder.close)
        tried = []
        if "--new-from-rev" in text:
            folder.commit()
        for step in steps:
            if isinstance(step, File):
                folder.write(step)
            elif isinstance(step, Given):
                folder.bring(step)
            elif isinstance(step, Quote):
                self.assertIn(step.text, (ROOT / step.source).read_text(), f"{self.path.name}:{step.line}: not what stands in {step.source}")
            elif step.text.startswith("./dev"):
                self.knows_subcommand(step)
            elif step.text.startswith("build/tests/"):
                self.knows_flags(step)
            elif "--watch" in step.text:  # does not end by itself
                self.assertIn("--watch", folder.run("ranklint check --help").stdout, self.place(step))
            elif not step.text.startswith(ELSEWHERE):
                tried.append((step, self.try_command(folder, step)))
        self.compare_pictures(folder)
        if os.environ.get("RANKLINT_UPDATE"):
            self.path.write_text(with_outputs(text, tried))

    def compare_pictures(self, folder):
        """A picture that the page's commands draw is the one that the page shows, where it has the same name."""
        for drawn in sorted(folder.work.glob("*.svg")):
            shown = ROOT / "docs/pictures" / drawn.name
            if f"pictures/{drawn.name}" not in self.path.read_text():
                continue
            if os.environ.get("RANKLINT_UPDATE"):
                shutil.copy(drawn, shown)
            self.assertEqual(drawn.read_text(), shown.read_text(), f"docs/pictures/{drawn.name}: RANKLINT_UPDATE=1 redraws it")

    def place(self, command):
        return f"{self.path.relative_to(ROOT)}:{command.line}: $ {command.text}"

    def knows_subcommand(self, command):
        words = command.text.split()
        self.assertIn(words[1] if len(words) > 1 else "help", subcommands_of_dev(), self.place(command))

    def knows_flags(self, command):
        program, *words = command.text.split()
        sources = (ROOT / Path(program).parent.relative_to("build")).glob("*.cpp")
        text = "".join(source.read_text() for source in sources)
        for flag in (word for word in words if word.startswith("--")):
            self.assertTrue(f'"{flag}"' in text, f"{self.place(command)}: no {flag}")

    def try_command(self, folder, command):
        run = folder.run(command.text)
        # Status 2 is wrong usage; what a shell says of a command that is not there is 127.
        self.assertIn(run.returncode, (0, 1), f"{self.place(command)}\n{run.stdout}")
        self.assertNotIn("bash: line ", run.stdout, self.place(command))
        if command.output and not os.environ.get("RANKLINT_UPDATE") and not matches(command.output, run.stdout):
            self.assertEqual("\n".join(command.output), run.stdout, f"{self.place(command)} (RANKLINT_UPDATE=1 rewrites it)")
        return run.stdout


class Places(unittest.TestCase):
    """What pages name of the repository is there: a file, a folder, or the beginning of one (`rules/declarative/reader`)."""

    NOT_OF_THE_REPOSITORY = re.compile(r"[*<>]|RULE-ID|PACK|FOLDER|NAME|TARGET|PATH|\.vsix$")

    def test_every_file_and_folder_of_ours_that_a_page_names_is_there(self):
        folders = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name in OURS]
        named = re.compile(rf"`((?:{'|'.join(folders)})/[^\s`]*)`")
        gone = []
        for page in PAGES:
            if page.name == "field-report.md":  # of other people's repositories
                continue
            for number, line in enumerate(page.read_text().splitlines(), 1):
                for path in named.findall(line):
                    if not self.NOT_OF_THE_REPOSITORY.search(path) and not list(ROOT.glob(f"{path.rstrip('/')}*")):
                        gone.append(f"{page.relative_to(ROOT)}:{number}: {path}")
        self.assertEqual(gone, [])

    def test_the_navigation_of_the_site_names_pages(self):
        source = (ROOT / "docs/site/build.py").read_text()
        sections = ast.literal_eval(re.search(r"^SECTIONS = (\{.*?^\})", source, re.MULTILINE | re.DOTALL)[1])
        pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
        self.assertLessEqual({stem for stems in sections.values() for stem in stems}, pages)


class Reading(unittest.TestCase):
    def test_a_description_is_no_part_of_a_command(self):
        commands = read_page("    ranklint check src     some rules\n    ./dev vscode  # builds\n")
        self.assertEqual([command.text for command in commands], ["ranklint check src", "./dev vscode"])

    def test_dots_stand_for_any_lines_and_other_lines_for_themselves(self):
        self.assertTrue(matches(["a", "...", "d"], "a\nb\nc\nd\n"))
        self.assertTrue(matches(["a", "...", "b"], "a\nb\n"))
        self.assertFalse(matches(["a", "b"], "a\nc\nb\n"))

    def test_what_is_printed_now_replaces_what_was_printed(self):
        text = "```console\n$ one\nold\nlines\n$ two\nold\n```\nend\n"
        one, two = read_page(text)
        self.assertEqual(with_outputs(text, [(one, "new\n"), (two, "x\ny\n")]), "```console\n$ one\nnew\n$ two\nx\ny\n```\nend\n")

    def test_a_command_in_a_sentence_is_one(self):
        commands = read_page("As `ranklint ir FILE` prints it, `./dev build`, `ranklint config` and `ranklint.toml`\nare there.\n")
        self.assertEqual([command.text for command in commands], ["ranklint ir train.py", "./dev build", "ranklint config --help"])

    def test_what_a_job_runs_is_a_command(self):
        (command,) = read_page("```groovy\nsh 'ranklint check --exit-zero'\n```\n")
        self.assertEqual(command.text, "ranklint check --exit-zero")

    def test_a_block_with_a_title_is_a_file(self):
        (file,) = read_page('```python title="a.py"\nx = 1\n```\n')
        self.assertEqual((file.name, file.text), ("a.py", "x = 1\n"))


def load_tests(loader, standard, pattern):
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Reading, Places))
    suite.addTests(Page(path) for path in PAGES)
    return suite


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
