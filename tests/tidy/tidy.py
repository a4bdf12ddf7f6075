#!/usr/bin/env python3
"""clang-tidy over our own C++ sources, with the checks of .clang-tidy: tidy.py BUILD [FOLDER...].

One source at a time takes half an hour of a processor, most of it for the same headers. So many sources are one unit, and a
unit is parsed once. In a unit a name of one source must not mean something in another: names that several sources have for
themselves get a macro around each, and sources for which that is not enough are put into different units. A unit that does not compile fails as a
fault does.

Which headers and macros a source needs is read from BUILD/compile_commands.json, of whatever compiler; other options are not used, so
a build by GCC serves. What had no fault is remembered in BUILD/tidy/, until the checks, a source of the unit or a header of ours
that it includes is another one.
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIDY = "clang-tidy-19"
FOLDERS = ("analyzer", "frontends", "rules", "app", "runtime")
# What is read with the same headers; a unit is of one of them.
APART = ("frontends/cpp", "runtime")
MOST_LINES = 28000
TAKEN = re.compile(r"-(?:isystem|I|D)")


def flags_of(command, folder):
    """Include folders and macros, as options that hold anywhere."""
    words = iter(shlex.split(command))
    flags = []
    for word in words:
        if option := TAKEN.match(word):
            value = word[option.end():] or next(words)
            flags.append(f"-D{value}" if option[0] == "-D" else f"{option[0]}{Path(folder, value)}")
    return flags


def compiled_by(entry, build):
    """The sources that a command compiles: several, where CMake has written a file that includes them."""
    path = Path(entry["directory"], entry["file"])
    if path.suffix == ".cxx" and path.is_relative_to(build):
        return [Path(included) for included in re.findall(r'^#include "(.+)"$', path.read_text(), re.MULTILINE)]
    return [path]


def sources_of(build, folders):
    """The flags of each source that is built, by its path from the root; of one that is built twice those of the first time."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for path in compiled_by(entry, build):
            if path.suffix != ".cpp" or not path.is_relative_to(ROOT) or path.is_relative_to(build):
                continue
            source = str(path.relative_to(ROOT))
            if any(source.startswith(f"{folder.rstrip('/')}/") for folder in folders):
                flags.setdefault(source, flags_of(entry["command"], entry["directory"]))
    return flags


NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
TYPE = re.compile(r"^(?:template <.*> )?(?:struct|class|enum class|enum|union) (?:alignas\(\d+\) )?(\w+)")
ALIAS = re.compile(r"^using (?:(\w+) = (.*);|([\w:]*?)(\w+);)")
VARIABLE = re.compile(r"^[^(=]*?[\w>&*] \*?&?(\w+)(?:\[[^\]]*\])*\s*(?:=|\{|;)")
FUNCTION = re.compile(r"^[^(=]*?([\w~]+)\(([^()]*)", re.MULTILINE)


def parameters(text):
    """Types of parameters as they are written, so that overloads are told apart."""
    return "(" + ",".join(re.sub(r"\s*=.*|\s*\b\w+$", "", part.strip()) for part in text.split(","))


class Names:
    """What a file declares at the level of a namespace, as (namespace, name, parameters); what is laid out stands at the left margin
    there. `local`: for the file alone. `shared`: for others as well. `aliases`: with what they stand for."""

    def __init__(self, text):
        self.local, self.shared, self.types, self.aliases = set(), set(), set(), {}
        space, unnamed, at = "", False, 0
        for line in text.splitlines(keepends=True):
            begin, at, line = at, at + len(line), line.rstrip()
            if opened := NAMESPACE.match(line):
                space = opened[1]
            unnamed = (unnamed or line == "namespace {") and line != "}  // namespace"
            if not line or line[0] in " }#/\"" or line.startswith(("namespace", "extern ", "template <", "using enum", "using namespace")):
                continue
            if alias := ALIAS.match(line):
                self.aliases[space, alias[1] or alias[4], ""] = alias[2] or alias[3]
            elif declared := TYPE.match(line):
                self.types.add((space, declared[1], ""))
                (self.local if unnamed else self.shared).add((space, declared[1], ""))
            elif declared := VARIABLE.match(line):
                (self.local if unnamed or line.startswith(("static ", "constexpr ", "const ")) else self.shared).add((space, declared[1], ""))
            elif (declared := FUNCTION.match(text[begin:])) and not text[begin:begin + declared.start(1)].endswith("::"):
                name = (space, declared[1], parameters(declared[2]))
                (self.local if unnamed or line.startswith(("static ", "constexpr ")) else self.shared).add(name)


def by_name(names):
    return {name[:2] for name in names}


class Unit:
    """Sources in which each name has one meaning; functions of one name with other parameters are overloads, but not where one hides the other."""

    def __init__(self):
        self.sources, self.local, self.shared, self.aliases, self.lines = [], set(), set(), {}, 0

    def takes(self, names, lines, most_lines):
        return (not self.sources or self.lines + lines <= most_lines) and (
            by_name(names.local).isdisjoint(by_name(self.local | self.shared | self.aliases.keys()))
            and by_name(names.shared | names.aliases.keys()).isdisjoint(by_name(self.local)) and names.shared.isdisjoint(self.shared)
            and all(self.aliases.get(name, target) == target for name, target in names.aliases.items()))

    def add(self, source, names, lines):
        self.sources.append(source)
        self.local |= names.local
        self.shared |= names.shared
        self.aliases |= names.aliases
        self.lines += lines

    def text(self, renamed):
        """`renamed`: of each source the names of its own that others have as well."""
        includes, body = [], []
        for number, source in enumerate(self.sources):
            # Headers first, so that no macro reaches into one.
            includes += re.findall(r"^#include .*\.h\"$|^#include <.*", (ROOT / source).read_text(), re.MULTILINE)
            around = sorted(renamed[source])
            body += [f"#define {name} {name}_{number}" for name in around]
            body.append(f'#include "{ROOT / source}"')
            body += [f"#undef {name}" for name in around]
        return "\n".join([*dict.fromkeys(includes), *body]) + "\n"


def headers():
    names = subprocess.run(["git", "ls-files", "-z", "*.h"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split("\0") if name and "stubs" not in Path(name).parts]


def units_of(sources, most_lines):
    """Units, and of each source the names of its own that need a macro: those that something else of the unit has as well, and that
    nothing else in the source can mean."""
    texts = {source: (ROOT / source).read_text() for source in sources}
    in_headers = set(re.findall(r"\b\w+\b", "\n".join(header.read_text() for header in headers())))
    types = set().union(*(Names(header.read_text()).types for header in headers()))
    declared = {source: Names(text) for source, text in texts.items()}
    count = collections.Counter(name for names in declared.values() for name in {n[:2] for n in names.local})
    renamed = {}
    for source, names in declared.items():
        of_others = set(re.findall(r"(?:\.|->|::)(\w+)", texts[source]))
        free = {n for n in names.local if n[1] not in of_others and (n in names.types or n[1] not in in_headers or re.match("k[A-Z]", n[1]))}
        names.local -= free
        renamed[source] = {n[1] for n in free if count[n[:2]] > 1 or n in types or n[1] in in_headers}
    units = []
    for source, text in texts.items():
        names, lines = declared[source], text.count("\n")
        alone = not (names.local | names.aliases.keys()).isdisjoint(types) or re.search(r'^using namespace |^#include ".*_blocks\.inc"', text, re.MULTILINE)
        unit = next((unit for unit in units if not alone and unit.takes(names, lines, most_lines)), None)
        if not unit:
            units.append(unit := Unit())
        unit.add(source, names, most_lines if alone else lines)
    return units, renamed


def content(path, known):
    """A hash over a file and the headers of ours that it includes, through others as well."""
    if path not in known:
        known[path] = ""  # of a circle, which pragma once allows
        text = path.read_text()
        parts = [text]
        for name in re.findall(r'^#include "(.*)"', text, re.MULTILINE):
            if (ROOT / name).is_file():
                parts.append(content(ROOT / name, known))
        known[path] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return known[path]


def look_at(unit, text, flags, stamp, name):
    """What clang-tidy says of it; nothing where it has no fault."""
    if stamp.is_file():
        return ""
    place = stamp.parent / f"{name}.cpp"
    place.write_text(text)
    run = subprocess.run([TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", place, "--", "-std=c++20", *flags], cwd=ROOT,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 0:
        stamp.touch()
        return ""
    return f"{run.stdout}\nin a unit of {', '.join(unit.sources)}\n" if "[clang-diagnostic-error]" in run.stdout else run.stdout


def main(build, folders):
    flags = sources_of(build, folders)
    stamps = build / "tidy"
    stamps.mkdir(exist_ok=True)
    checks = (ROOT / ".clang-tidy").read_text()
    known, work, wanted = {}, [], set()
    for apart in (*APART, ""):
        sources = sorted(s for s in flags if next((a for a in APART if s.startswith(a)), "") == apart)
        units, renamed = units_of(sources, MOST_LINES)
        for number, unit in enumerate(units):
            of_unit = list(dict.fromkeys(flag for source in unit.sources for flag in flags[source]))
            text = unit.text(renamed)
            key = "\0".join([checks, text, *of_unit, *(content(ROOT / source, known) for source in unit.sources)])
            name = f"{apart.replace('/', '_') or 'program'}_{number}"
            stamp = stamps / f"{hashlib.sha256(key.encode()).hexdigest()}.ok"
            wanted.add(stamp)
            work.append((unit, text, of_unit, stamp, name))
    for old in set(stamps.glob("*.ok")) - wanted if folders == FOLDERS else ():
        old.unlink()
    work.sort(key=lambda item: -item[0].lines)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("RANKLINT_JOBS", os.cpu_count()))) as pool:
        faults = [said for said in pool.map(lambda item: look_at(*item), work) if said]
    print("".join(faults), end="")
    print(f"{len(flags)} sources in {len(work)} units, {'no fault' if not faults else f'faults in {len(faults)}'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), tuple(sys.argv[2:]) or FOLDERS))
