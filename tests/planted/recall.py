#!/usr/bin/env python3
"""How many planted breaches of contracts ranklint finds in correct source, and how many harmless twins it reports.

    recall.py RANKLINT FOLDER... [--places N] [--seed S] [--jobs N] [--page FILE]

For each operator of breaches.py places are drawn at random in the folders, which hold one package each, and the change is planted in
a copy of the package. Found: a finding that the unchanged package does not have, one of whose places lies in the changed function.
A place where a breach breaks nothing (a function that no job runs) counts as missed, so not all can be found. --page writes the
table between the marks in a page of docs/.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import breaches

BEGIN, END = "<!-- planted: begin -->", "<!-- planted: end -->"
SECONDS = 300


def findings_of(ranklint, folder):
    run = subprocess.run([ranklint, "check", "--isolated", "--no-cache", "--quiet", "--output-format", "sarif", "."], cwd=folder, capture_output=True, timeout=SECONDS)
    return [result for part in json.loads(run.stdout)["runs"] for result in part["results"]]


def places_of(result):
    locations = [*result.get("locations", []), *result.get("relatedLocations", [])]
    for flow in result.get("codeFlows", []):
        locations += [step["location"] for thread in flow["threadFlows"] for step in thread["locations"]]
    for location in locations:
        place = location.get("physicalLocation", {})
        yield place.get("artifactLocation", {}).get("uri", ""), place.get("region", {}).get("startLine", 0)


def is_found(results, known, place, name, grew):
    left = known.copy()
    for result in results:
        key = (result["ruleId"], result["message"]["text"])
        left[key] -= 1
        inside = any(uri == name and place.function.lineno <= line <= place.function.end_lineno + max(grew, 0) for uri, line in places_of(result))
        if inside and left[key] < 0:
            return True
    return False


def link_or_copy(source, target):
    """A file is linked where both lie on one file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


class Package:
    def __init__(self, ranklint, folder):
        self.ranklint, self.folder = ranklint, folder
        self.texts, self.places = {}, []
        for path in sorted(folder.rglob("*.py")):
            try:
                text = path.read_text()
                self.places += breaches.places_in(path, text)
                self.texts[path] = text
            except (SyntaxError, ValueError):
                continue
        self.known = collections.Counter((r["ruleId"], r["message"]["text"]) for r in findings_of(ranklint, folder))

    def answer(self, place, planted):
        text, grew = planted
        with tempfile.TemporaryDirectory(prefix="ranklint-planted-") as scratch:
            copy = pathlib.Path(scratch) / "package"
            shutil.copytree(self.folder, copy, copy_function=link_or_copy)
            name = place.path.relative_to(self.folder)
            (copy / name).unlink()
            (copy / name).write_text(text)
            return is_found(findings_of(self.ranklint, copy), self.known, place, name.as_posix(), grew)


def drawn(packages, operator, count, rng):
    """Places where the operator fits, with what it makes of them: as many of each package as of the others."""
    for package in packages:
        places = [place for place in package.places if place.kind in operator.kinds]
        rng.shuffle(places)
        planted = ((place, breaches.plant(package.texts[place.path], place, operator)) for place in places)
        fitting = [(package, place, change) for place, change in planted if change]
        yield from fitting[:count]


def table_of(rows):
    lines = ["| Planted | Contract | Found |", "|---|---|---|"]
    for name, operator in breaches.OPERATORS.items():
        answers = rows.get(name, [])
        if answers:
            lines.append(f"| {name} | {operator.contract} | {sum(answers)} of {len(answers)} |")
    for title, breaks in (("**all breaches**", True), ("**all twins**, which should not be found", False)):
        answers = [a for name, found in rows.items() if breaches.OPERATORS[name].breaks == breaks for a in found]
        lines.append(f"| {title} | | {sum(answers)} of {len(answers)} |")
    return "\n".join(lines)


def write_into(page, table):
    before, _, rest = page.read_text().partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("ranklint", type=pathlib.Path)
    options.add_argument("folders", nargs="+", type=pathlib.Path)
    options.add_argument("--places", type=int, default=4, help="of each operator in each package")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--page", type=pathlib.Path)
    options.add_argument("--all", action="store_true", help="fail where a breach is not found, or a twin is")
    options.add_argument("--show", action="store_true", help="say of each place whether it was found")
    given = options.parse_args()
    packages = [Package(given.ranklint.resolve(), folder.resolve()) for folder in given.folders]
    rng, jobs = random.Random(given.seed), []
    for name, operator in breaches.OPERATORS.items():
        jobs += [(name, *job) for job in drawn(packages, operator, given.places, rng)]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        answers = list(pool.map(lambda job: job[1].answer(job[2], job[3]), jobs))
    rows = collections.defaultdict(list)
    for (name, package, place, _), found in zip(jobs, answers):
        rows[name].append(found)
        if given.show:
            print(f"{'found ' if found else 'missed'} {name}: {place.path.relative_to(package.folder)}:{place.statement.lineno}", file=sys.stderr)
    table = table_of(rows)
    print(table)
    if given.page:
        write_into(given.page, table)
    wrong = [name for name, answers in rows.items() if any(answer != breaches.OPERATORS[name].breaks for answer in answers)]
    if given.all and wrong:
        sys.exit("not as it should be: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
