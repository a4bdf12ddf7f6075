"""A page of the documentation as a list of what can be tried: files to write and commands to run.

    ```python title="train.py"     a file of the page's project
    ```cpp quote="rules/a.cpp"     lines of a file of ours, as they stand there
    <!-- tried with testdata/a.py as train.py -->    a file or folder of ours, from there on
    ```console                     commands behind `$ `, each with what it prints
    ```yaml, ```groovy, ```sh      what a CI service or a hook is told to run: `ranklint check ...`, up to a quote or a pipe
        ranklint check src         a command alone, indented; words behind two spaces or ` #` describe it
    `ranklint ir FILE`             a command in a sentence; a word in capitals stands for any of its kind, and `ranklint ir`
                                   is a name: there has to be such a subcommand

A line `...` in what a command prints stands for any lines. A command that prints nothing in the page may print anything,
but has to know its flags.
"""

import re
from dataclasses import dataclass, field

FENCE = re.compile(r"^```(\w*)(.*)$")
QUOTE = re.compile(r'quote="([^"]+)"')
TITLE = re.compile(r'title="([^"]+)"')
GIVEN = re.compile(r"^<!-- tried with (\S+) as (\S+) -->$")
IN_JOB = re.compile(r"(?<![\w.#/-])ranklint (?:check|verify|baseline)\b[^'\"|#\n]*")
IN_SENTENCE = re.compile(r"`((?:\./dev|ranklint) [^`]+)`")
STANDS_FOR = {"PATH": ".", "FILE": "train.py", "CHANGED_FILES": "train.py", "FORMAT": "concise"}
ALONE = re.compile(r"^    +((?:\./dev|ranklint|build/\S+)(?: .*)?)$")


@dataclass
class File:
    line: int
    name: str
    text: str


@dataclass
class Command:
    line: int
    text: str
    output: list = field(default_factory=list)
    alone: bool = False  # stands in the text, without what it prints


@dataclass
class Given:
    line: int
    source: str
    name: str


@dataclass
class Quote:
    line: int
    source: str
    text: str


def without_description(command):
    return re.split(r"\s{2,}|\s#\s", command)[0]


def commands_of(first, lines):
    commands = []
    for number, line in enumerate(lines, first):
        if line.startswith("$ "):
            commands.append(Command(number, line[2:]))
        elif commands and line.startswith("> ") and not commands[-1].output:
            commands[-1].text += "\n" + line[2:]
        elif commands:
            commands[-1].output.append(line)
        else:
            raise ValueError(f"line {number}: a console block begins with `$ `")
    return commands


def jobs_of(first, lines):
    """The commands of a job's description; they have to know their flags, like those in the text."""
    found = [(number, IN_JOB.search(line)) for number, line in enumerate(lines, first)]
    return [Command(number, match[0].strip(), alone=True) for number, match in found if match]


def in_sentence(number, line):
    found = []
    for text in IN_SENTENCE.findall(line):
        is_name = re.fullmatch(r"ranklint \S+", text)
        command = text + " --help" if is_name else re.sub(r"\b[A-Z_]{3,}\b", lambda word: STANDS_FOR[word[0]], text)
        found.append(Command(number, command, alone=True))
    return found


def read_page(text):
    found, lines, at = [], text.splitlines(), 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if not fence:
            if alone := ALONE.match(lines[at]):
                found.append(Command(at + 1, without_description(alone[1]), alone=True))
            elif given := GIVEN.match(lines[at]):
                found.append(Given(at + 1, given[1], given[2]))
            else:
                found += in_sentence(at + 1, lines[at])
            at += 1
            continue
        end = lines.index("```", at + 1)
        block = lines[at + 1 : end]
        if title := TITLE.search(fence[2]):
            found.append(File(at + 1, title[1], "".join(line + "\n" for line in block)))
        elif quote := QUOTE.search(fence[2]):
            found.append(Quote(at + 1, quote[1], "".join(line + "\n" for line in block)))
        elif fence[1] == "console":
            found += commands_of(at + 2, block)
        elif fence[1] in ("yaml", "groovy", "sh"):
            found += jobs_of(at + 2, block)
        at = end + 1
    return found


def matches(expected, printed):
    """Whether lines are printed as told; `...` stands for any lines, and blank ones at the end don't count."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern.rstrip("\n") + r"\n*", printed) is not None


def with_outputs(text, commands):
    """The page with what its commands print now; what has `...` in it stays as it was written."""
    lines = text.splitlines()
    for command, printed in reversed(commands):
        if command.alone or "..." in map(str.strip, command.output) or not command.output:
            continue
        begin = command.line + command.text.count("\n")
        lines[begin : begin + len(command.output)] = printed.rstrip("\n").splitlines()
    return "\n".join(lines) + "\n"
