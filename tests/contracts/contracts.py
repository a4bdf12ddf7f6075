#!/usr/bin/env python3
"""The matrix of calls and contracts, made from the models: docs/contracts.md.

    contracts.py            compares the page with what the models say, and fails where they differ
    contracts.py --write    writes the page

A contract is something that the documentation of a library call demands of its caller. The models say which call states which:
by its kind, by an argument that they name, or by a role. A rule is given only where its code asks for just that.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "rules/models"
PAGE = ROOT / "docs/contracts.md"

COMMUNICATES = ("collective", "group-create", "point-to-point")

# What a model has to have for its call to state the contract, in the order of the columns.
Column = collections.namedtuple("Column", "heading demands states rules")
COLUMNS = [
    Column("all", "all members of the group call it, in one order", lambda m: m["kind"] == "collective", "RL101 RL102 RL103 RL104 RL105 RL106 RL111"),
    Column("made", "all ranks make the group, with equal lists, in one order", lambda m: m["kind"] == "group-create", "RL107"),
    Column("member", "who calls it is in the group", lambda m: m["kind"] == "collective" and m.get("group", "world") != "world", "RL108"),
    Column("root", "members agree on the root, counted as the call counts", lambda m: "root" in m and m["kind"] == "collective", "RL109"),
    Column("op", "members agree on the reduction", lambda m: "reduce_op" in m, "RL103"),
    Column("shape", "members agree on sizes and types", lambda m: m.get("same_shape", False), "RL110 RL503"),
    Column("handle", "the handle is waited for before the buffer is used", lambda m: "async" in m or plays(m, "gives-handle"), "RL112"),
    Column("peer", "the peer answers: not the rank itself, not in a circle, not one that counts elsewhere", lambda m: m["kind"] == "point-to-point" and "root" in m, "RL201 RL202 RL203 RL206"),
    Column("about", "what the call is a part of has rules of its own", lambda m: "about" in m, "RL302 RL401 RL403 RL408 RL501 RL506"),
]

# What is stated by roles, and by no model of a call that communicates.
ROLES = [
    ("a failure of one rank reaches all", ("may-raise", "reads-file", "writes-file"), "RL106 RL502"),
    ("the device is bound by the local rank, before the first communication", ("binds-device", "takes-device"), "RL705"),
    ("what every rank reads goes to its own device", ("takes-device", "fills-model"), "RL710"),
    ("what a collective gives back or fills is what the program goes on with", ("gives-result", "copies-tensor"), "RL117"),
    ("a buffer is received into before it is read", ("leaves-unfilled",), "RL205"),
    ("what all do is done in one order", ("makes-set", "lists-directory"), "RL114 RL504"),
    ("what one rank writes is there before others read it", ("writes-file", "reads-file", "opens-path", "writes-folder", "reads-folder", "makes-folder"), "RL505"),
    ("to one path all do at once only what all can", ("writes-file", "reads-file", "opens-path", "writes-folder", "makes-folder", "removes-path", "moves-path", "makes-path"), "RL507"),
    ("all ranks use one name for one file", ("makes-folder", "reads-file", "opens-path"), "RL508"),
    ("one job is one run of what records runs", ("starts-run",), "RL510"),
    ("all ranks share the samples of one order, each its own", ("samples-among", "samples-by-seed"), "RL511"),
    ("a sampler that shuffles is told each epoch", ("shuffles-by-epoch", "sets-epoch"), "RL509"),
    ("what runs at any time does not communicate", ("runs-at-exit", "runs-at-any-time", "starts-thread", "handles-signal"), "RL113"),
    ("a member of a wrapped model is asked of the model, where the wrapper does not pass it on", ("hides-members",), "RL410"),
    ("all ranks wrap the same model, in the same way", ("given-alike", "tells-trained"), "RL402"),
    ("all groups of one job are given its time-out", ("takes-timeout",), "RL708"),
    ("parts are of one size, or padded", ("splits-into-parts",), "RL305"),
    ("ranks of a model-parallel group see the same data, seed and noise", ("deals-out", "names-axes", "shares-data", "seeds-numbers", "samples-class"), "RL604"),
]

# Demanded by documentation, and nothing in the models says by which calls; what there is follows names of its own.
UNSTATED = [
    ("each rank makes as many steps", "RL104 RL406", "loops whose length a rank alone knows, what it keeps of its share, loaders and data sets that deal out by turns or by files; packing is not followed"),
    ("what a collective is given is there on every rank", "RL118", "a variable that some ranks alone have given a value"),
    ("every wait can end in time", "RL704 RL709", "work of one rank that a role says takes long, and time-outs under a minute; not how long any other work between two calls takes"),
    ("sizes divide", "RL601 RL602 RL603", "heads and degrees that are named so, and the functions that hold one number to another"),
    ("a number that counts in one group is not used in another", "RL109 RL206", "a rank of a group that is given as a root or a peer of the world; few of the lists of ranks"),
    ("a hook that a framework calls on some ranks does not communicate", "RL101", "base classes, lists and registries of hooks whose source is read with them; no framework's own"),
    ("all ranks of a sharding group use the same submodules", "", ""),
]

ROLES_OF = {}


def plays(model, role):
    last = model["name"].removeprefix("*.")
    return any(name == model["name"] or name.removeprefix("*.") == last for name in ROLES_OF.get(role, ()))


def read_models():
    models = []
    for path in sorted(MODELS.glob("*.json")):
        if path.name in ("schema.json", "names.json"):
            continue
        file = json.loads(path.read_text())
        models += [dict(m, library=file.get("library", path.stem)) for m in file.get("models", [])]
        for role, entries in file.get("roles", {}).items():
            names = (e if isinstance(e, str) else e["name"] for e in entries)
            ROLES_OF.setdefault(role, []).extend(name for name in names if not name.startswith("!"))  # "!": all but these
    return models


def cell(column, models):
    stating = sum(1 for m in models if column.states(m))
    if not stating:
        return ""
    return "all" if stating == len(models) else f"{stating} of {len(models)}"


def links(codes, pages):
    return " · ".join(f"[{code}](../{pages[code]})" for code in codes.split()) or "–"


def pages_of_rules():
    pages = {}
    for page in sorted(ROOT.glob("rules/*/*.md")):
        code = re.match(r"# \S+ \((RL\d+)\)", page.read_text())
        if code:
            pages[code.group(1)] = page.relative_to(ROOT).as_posix()
    return pages


def matrix(models):
    by_op = collections.defaultdict(list)
    for m in models:
        if m["kind"] in COMMUNICATES:
            by_op[m.get("op", m["name"])].append(m)
    lines = ["| Operation | Calls | " + " | ".join(c.heading for c in COLUMNS) + " |", "|---|---|" + "---|" * len(COLUMNS)]
    for op, of_op in sorted(by_op.items()):
        lines.append(f"| `{op}` | {len(of_op)} | " + " | ".join(cell(c, of_op) for c in COLUMNS) + " |")
    return lines


def page():
    models, rules = read_models(), pages_of_rules()
    communicating = [m for m in models if m["kind"] in COMMUNICATES]
    lines = [
        "# Contracts",
        "",
        "The documentation of a library call demands things of its caller: that all members of the group call it, that they agree on the",
        "root, that somebody waits for the handle. One check looks after each such contract, for all calls that state it, and the",
        "[models](models.md) say which do. This page is made from them by `tests/contracts/contracts.py --write`, and a test compares the two.",
        "",
        "## What models of calls state",
        "",
        "| Column | Contract | Calls | Rules |",
        "|---|---|---|---|",
    ]
    for c in COLUMNS:
        lines.append(f"| {c.heading} | {c.demands} | {sum(1 for m in communicating if c.states(m))} | {links(c.rules, rules)} |")
    lines += ["", "## What roles state", "", "| Contract | Roles | Functions | Rules |", "|---|---|---|---|"]
    for demands, roles, codes in ROLES:
        count = sum(len(ROLES_OF.get(role, ())) for role in roles)
        lines.append(f"| {demands} | {', '.join(f'`{r}`' for r in roles)} | {count} | {links(codes, rules)} |")
    lines += [
        "",
        "## What no model states yet",
        "",
        "Here the rules know what they look for by themselves, or there is no rule.",
        "",
        "| Contract | Rules | What they see |",
        "|---|---|---|",
    ]
    for demands, codes, sees in UNSTATED:
        lines.append(f"| {demands} | {links(codes, rules)} | {sees or 'nothing'} |")
    lines += [
        "",
        f"## {len(communicating)} calls that communicate",
        "",
        "By the word for their operation. A cell says for how many of the calls the model states the contract; where it is less than all, the",
        "others either demand nothing of the kind or their model does not say so yet. Empty: none does.",
        "",
    ]
    return "\n".join(lines + matrix(models)) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true")
    wanted = page()
    if options.parse_args().write:
        PAGE.write_text(wanted)
        return 0
    if PAGE.read_text() == wanted:
        return 0
    print("docs/contracts.md is not what the models say: run tests/contracts/contracts.py --write", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
