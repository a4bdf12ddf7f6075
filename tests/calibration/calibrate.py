#!/usr/bin/env python3
"""How often each word of confidence was right on findings that somebody has judged: calibrate.py [--write]

Reads judged.jsonl, fits a probability for each word and rule, and asks of each repository what the others foretell of it. Without
--write it fails where docs/calibration.md, its picture or the table that ranklint is built with is not what comes out.

A line of judged.jsonl is one finding as it was told at its time: where it is (repository, commit, file, line), rule, word of
confidence that the analysis arrived at, whether it was shown by default, what silenced it, what it rests on that decides its word (`rests_on`), and the verdict of
a reader: TRUE, TRUE-MINOR (real, but in tests, behind an error that ends the job, or a setting), UNSURE, FALSE. The first two sets were judged before much of what they showed to be
false was mended, so the figures say what was told then.
"""

import collections
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE, PICTURE = ROOT / "docs/calibration.md", ROOT / "docs/pictures/calibration.svg"
TABLE = ROOT / "rules/calibration.inc"
BEGIN, END = "<!-- calibration: begin -->", "<!-- calibration: end -->"
WORDS = ("certain", "high", "likely")
SETTINGS = {"RL701", "RL702", "RL703", "RL705", "RL707", "RL708"}
REAL = {"TRUE": True, "TRUE-MINOR": True, "FALSE": False}
VERDICTS = (*REAL, "UNSURE")
CHANGEABLE = ("high", "likely")  # nothing is hidden by the table, and too few were certain to say more of them
HIGH = 0.9
STRENGTHS = (1, 2, 4, 8, 16, 32, 64)  # how many findings the coarser estimate counts for
BINS = 5


def keys(f):
    """From the coarsest to the finest: all, the word, the pack of rules, the rule, and the rule's with what they rest on."""
    word, pack, rule = f["confidence"], f["rule"][:3], f["rule"]
    return [(), (word,), (word, pack), (word, pack, rule)] + [(word, pack, rule, rests_on) for rests_on in f.get("rests_on", [])]


RULE = 3  # the depth of a rule's key


def weigh(findings):
    """What one repository is told of one rule for one cause counts once, however often it is told."""
    cause = lambda f: (f["repository"], f["rule"], f["verdict"], f["class"] or (f["file"], f["line"]))
    times = collections.Counter(cause(f) for f in findings)
    for f in findings:
        f["weight"] = 1 / times[cause(f)]


class Estimate:
    """A share of real ones for each word and rule; where little was judged, that of the rule's pack, of the word, and of all.

    Of what rests on something that the program does not say, a reader often cannot say either whether it is real: it counts half."""

    def __init__(self, findings, strength):
        self.strength = strength
        self.counts = collections.defaultdict(lambda: [0, 0])
        for f in findings:
            for depth, key in enumerate(keys(f)):
                if f["verdict"] in REAL or depth > RULE:
                    self.counts[key][0] += f["weight"] * REAL.get(f["verdict"], 0.5)
                    self.counts[key][1] += f["weight"]

    def of(self, *key):
        true, all_of = self.counts[key]
        coarser = self.of(*key[:-1]) if key else 0.5
        return (true + self.strength * coarser) / (all_of + self.strength)


def foretold(findings, strength, depth):
    """For each finding what those of all other repositories say of it."""
    by_repository = collections.defaultdict(list)
    for f in findings:
        by_repository[f["repository"]].append(f)
    pairs = []
    for repository, own in sorted(by_repository.items()):
        estimate = Estimate([f for f in findings if f["repository"] != repository], strength)
        pairs += [(estimate.of(*keys(f)[: depth + 1][-1]), f) for f in own if f["verdict"] in REAL]
    return pairs


def loss(pairs):
    surprise = sum(f["weight"] * math.log(p if REAL[f["verdict"]] else 1 - p) for p, f in pairs)
    return -surprise / sum(f["weight"] for _, f in pairs)


def interval(true, all_of, z=1.96):
    """Wilson's, of 95 of 100."""
    share, square = true / all_of, z * z / all_of
    middle, half = share + square / 2, z * math.sqrt(share * (1 - share) / all_of + square / (4 * all_of))
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def percent(share):
    return f"{100 * share:.0f} %"


def row(title, findings):
    count = collections.Counter(f["verdict"] for f in findings)
    true, real, false = count["TRUE"], count["TRUE"] + count["TRUE-MINOR"], count["FALSE"]
    share = lambda n: f"{percent(n / (n + false))} ({' to '.join(percent(x) for x in interval(n, n + false))})" if n + false else ""
    return f"| {title} | {len(findings)} | {true} | {count['TRUE-MINOR']} | {count['UNSURE']} | {false} | {share(true)} | {share(real)} |"


def table(title, groups):
    head = [f"| {title} | Findings | True | Minor | Unsure | False | True of true and false | Real of real and false |",
            "|---|---|---|---|---|---|---|---|"]
    return "\n".join(head + [row(name, findings) for name, findings in groups if findings])


def bins(pairs):
    """Of the findings in the order of what is foretold, some at a time: what was foretold and what came, and of how many."""
    ordered = sorted((p, REAL[f["verdict"]]) for p, f in pairs)
    cuts = [round(i * len(ordered) / BINS) for i in range(BINS + 1)]
    for first, last in zip(cuts, cuts[1:]):
        part = ordered[first:last]
        yield sum(p for p, _ in part) / len(part), sum(real for _, real in part), len(part)


def word_of(probability):
    return "high" if probability >= HIGH else "likely"


def assumption(name):
    return ", AssumptionKind::" + "".join(word.capitalize() for word in name.split("-"))


def shipped(estimate):
    """For each word, pack and rule the share of real ones, in percent: what rules/calibration.cpp reads, sorted by its keys."""
    rows = [(key[1:][:2][-1], key[0], key[RULE:], estimate.of(*key)) for key in list(estimate.counts) if len(key) > 1 and key[0] in CHANGEABLE]
    lines = [f'{{"{code}", Confidence::{word.capitalize()}, {math.floor(100 * share)}{"".join(map(assumption, rests_on))}}},' for code, word, rests_on, share in sorted(rows)]
    head = ["// Of 100 findings of a rule, or of a pack, that the analysis arrived at with this confidence: how many are real.",
            "// Made from tests/calibration/judged.jsonl by tests/calibration/calibrate.py --write."]
    return "\n".join(head + lines) + "\n"


def picture(points):
    at = lambda x, y: (60 + 340 * x, 360 - 340 * y)
    line = lambda a, b, colour: f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{colour}"/>'
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="420" height="420" font-family="sans-serif" font-size="12">',
           "<title>What was foretold of a finding, and how often it was real</title>", '<rect width="420" height="420" fill="white"/>',
           line(at(0, 0), at(1, 1), "#bbb"), line(at(0, 0), at(1, 0), "#333"), line(at(0, 0), at(0, 1), "#333")]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        (x, y), (left, height) = at(tick, 0), at(0, tick)
        out += [f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{percent(tick)}</text>',
                f'<text x="{left - 8:.1f}" y="{height + 4:.1f}" text-anchor="end">{percent(tick)}</text>']
    for expected, true, all_of in points:
        low, high = interval(true, all_of)
        x, y = at(expected, true / all_of)
        out += [line(at(expected, low), at(expected, high), "#1f5fa8"), f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#1f5fa8"/>']
    out += ['<text x="230" y="405" text-anchor="middle">foretold by the other repositories</text>',
            '<text transform="translate(16 190) rotate(-90)" text-anchor="middle">real when read</text>', "</svg>"]
    return "\n".join(out) + "\n"


def tables(findings, shown, pairs):
    sets = list(dict.fromkeys(f["set"] for f in findings))
    rules = sorted({f["rule"] for f in shown})
    no_settings = [f for f in shown if f["rule"] not in SETTINGS]
    by_word = lambda name, of: [(f"{name} `{word}`", [f for f in of if f["confidence"] == word]) for word in WORDS]
    by_table = lambda word, rule: [f for p, f in pairs if f["confidence"] in CHANGEABLE and word_of(p) == word and rule(f["rule"])]
    no_setting = lambda rule: rule not in SETTINGS
    return [
        table("Word that is shown", [(f"`{word}`", by_table(word, lambda _: True)) for word in CHANGEABLE]
              + [(f"`{word}`, without settings", by_table(word, no_setting)) for word in CHANGEABLE]),
        table("Set", [(name, [f for f in shown if f["set"] == name]) for name in sets] + [("all", shown), ("all without settings", no_settings)]),
        table("Word arrived at", [group for name in sets for group in by_word(name, [f for f in shown if f["set"] == name])] + by_word("all", shown)),
        table("Rule", [(rule, [f for f in shown if f["rule"] == rule]) for rule in rules]),
        table("Hidden", [("`possible`", [f for f in findings if not f["shown"]])]),
    ]


def results():
    findings = [json.loads(line) for line in (HERE / "judged.jsonl").read_text().splitlines()]
    for number, f in enumerate(findings, 1):
        if f["verdict"] not in VERDICTS:
            sys.exit(f"judged.jsonl:{number}: `{f['verdict']}` is no verdict, expected one of {', '.join(VERDICTS)}")
    shown = [f for f in findings if f["shown"]]
    weigh(shown)
    deepest = max(len(keys(f)) for f in shown) - 1
    strength = min(STRENGTHS, key=lambda s: loss(foretold(shown, s, deepest)))
    by_depth = [foretold(shown, strength, depth) for depth in range(deepest + 1)]
    pairs = by_depth[deepest]
    points = list(bins(pairs))
    parts = tables(findings, shown, pairs) + [
        "What the others foretell of a repository, as the mean surprise (the logarithm's loss; less is better): "
        + f"{loss([(0.5, f) for _, f in pairs]):.3f} for even odds, {loss(by_depth[0]):.3f} by the share of all, {loss(by_depth[1]):.3f} by the word, "
        + f"{loss(by_depth[2]):.3f} by the word and the pack, {loss(by_depth[RULE]):.3f} by the word and the rule, {loss(pairs):.3f} with what it rests on, "
        + f"where the coarser estimate counts for {strength} findings.",
        "| Foretold | Findings | Real when read |\n|---|---|---|\n"
        + "\n".join(f"| {percent(expected)} | {all_of} | {percent(real / all_of)} ({' to '.join(percent(x) for x in interval(real, all_of))}) |" for expected, real, all_of in points),
    ]
    return "\n\n".join(parts), picture(points), shipped(Estimate(shown, strength))


def main():
    text, drawing, shipped_table = results()
    before, _, rest = PAGE.read_text().partition(BEGIN)
    page = f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}"
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page)
        PICTURE.write_text(drawing)
        TABLE.write_text(shipped_table)
        return
    for path, wanted in ((PAGE, page), (PICTURE, drawing), (TABLE, shipped_table)):
        if not path.exists() or path.read_text() != wanted:
            sys.exit(f"{path.relative_to(ROOT)} is not what tests/calibration/judged.jsonl gives: calibrate.py --write")


if __name__ == "__main__":
    main()
