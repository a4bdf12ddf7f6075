#!/usr/bin/env python3
"""How often each word of confidence was right on findings that somebody has judged: calibrate.py [--write]

Reads judged.jsonl, fits what the rule and each assumption say of whether a finding is real, and asks of each tenth of the repositories what the others
foretell of it. Without --write it fails where docs/calibration.md, its picture or the weights that ranklint is built with are not what comes out.

A line of judged.jsonl is one finding as it was told at its time: where it is (repository, commit, file, line), rule, word of
confidence that the analysis arrived at, whether it was shown by default, what silenced it, what it rests on (`rests_on`: where it counts for the weights, as it is told by a present
build or was first told in one of the newest sets; what starts the programs of what is told no more was looked up by the name of its file), and the verdict of a reader: TRUE, TRUE-MINOR (real, but in tests, behind an error that ends the job, or a setting), UNSURE, FALSE. The first two sets were judged before much of what they showed to be
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
CHANGEABLE = ("high", "likely")  # too few were certain to say more of them, and what is possible has a reason
WORDS_OF_TABLE = (*CHANGEABLE, "possible")
HIGH, LIKELY = 0.9, 0.4
STRENGTH = 1  # how strongly a weight that little speaks for is held back; 0.5 to 4 foretell others' findings about as well
PARTS_OF_REPOSITORIES = 10  # each is foretold by the others
SWEEPS = 40
KEPT_OUT = 11  # newest sets, to see what the weights are worth: together some 610 findings
BINS = 5


def weigh(findings):
    """What one repository is told of one rule for one cause counts once, however often it is told."""
    cause = lambda f: (f["repository"], f["rule"], f["verdict"], f["class"] or (f["file"], f["line"]))
    times = collections.Counter(cause(f) for f in findings)
    for f in findings:
        f["weight"] = 1 / times[cause(f)]


def traits(f):
    """What bears on whether a finding is real: all share the first, then the word, the pack of rules, the rule, and what it rests on."""
    word = [f["confidence"]] if f["confidence"] == "high" else []
    return ["", *word, f["rule"][:3], f["rule"], *f["rests_on"]]


def fit(findings):
    """For each trait what it adds to the logarithm of the odds of being real, by a logistic regression with a ridge penalty.

    A finding of which a reader cannot say whether it is real counts half."""
    having = collections.defaultdict(list)
    for i, f in enumerate(findings):
        for trait in traits(f):
            having[trait].append(i)
    real = [float(REAL.get(f["verdict"], 0.5)) for f in findings]
    weights, odds = dict.fromkeys(sorted(having), 0.0), [0.0] * len(findings)
    for _ in range(SWEEPS):
        for trait in weights:
            held_back = STRENGTH if trait else 0
            slope, curve = -held_back * weights[trait], held_back + 1e-6
            for i in having[trait]:
                p = share_of(odds[i])
                slope += findings[i]["weight"] * (real[i] - p)
                curve += findings[i]["weight"] * p * (1 - p)
            step = max(-1.0, min(1.0, slope / curve))
            weights[trait] += step
            for i in having[trait]:
                odds[i] += step
    return weights


def share_of(odds):
    return 1 / (1 + math.exp(-odds))


def foretold(findings):
    """For each finding what those of other repositories say of it."""
    repositories = sorted({f["repository"] for f in findings})
    pairs = []
    for part in range(PARTS_OF_REPOSITORIES):
        own = set(repositories[part::PARTS_OF_REPOSITORIES])
        weights = fit([f for f in findings if f["repository"] not in own])
        pairs += [(share_of(sum(weights.get(trait, 0) for trait in traits(f))), f) for f in findings if f["repository"] in own and f["verdict"] in REAL]
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
    return "high" if probability >= HIGH else "likely" if probability >= LIKELY else "possible"


def shipped(weights):
    """What each trait adds, in hundredths: what rules/calibration.cpp reads."""
    lines = [f'{{"{trait}", {round(100 * weight)}}},' for trait, weight in weights.items()]
    head = ["// What adds to the logarithm of the odds that a finding is real, in hundredths: all share the first.",
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
        table("Word that is shown", [(f"`{word}`", by_table(word, lambda _: True)) for word in WORDS_OF_TABLE]
              + [(f"`{word}`, without settings", by_table(word, no_setting)) for word in WORDS_OF_TABLE]),
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
    newest = list(dict.fromkeys(f["set"] for f in findings))[-KEPT_OUT:]
    known = [f for f in shown if "rests_on" in f and f["confidence"] in CHANGEABLE]
    weigh(known)
    counted = [f for f in known if f["set"] not in newest]
    weights = fit(counted)
    kept_out = [(share_of(sum(weights.get(trait, 0) for trait in traits(f))), f) for f in known if f["set"] in newest and f["verdict"] in REAL]
    pairs = foretold(counted)
    even = loss([(0.5, f) for _, f in pairs])
    points = list(bins(pairs))
    by_words = [(f"`{word}`", [f for p, f in kept_out if word_of(p) == word]) for word in WORDS_OF_TABLE]
    parts = tables(findings, shown, pairs) + [
        table(f"The {KEPT_OUT} newest sets, which the weights do not know", by_words),
        f"What the others foretell of {len(pairs)} findings, as the mean surprise (the logarithm's loss; less is better): "
        + f"{loss(pairs):.3f}, where even odds have {even:.3f}.",
        "| Foretold | Findings | Real when read |\n|---|---|---|\n"
        + "\n".join(f"| {percent(expected)} | {all_of} | {percent(real / all_of)} ({' to '.join(percent(x) for x in interval(real, all_of))}) |" for expected, real, all_of in points),
    ]
    return "\n\n".join(parts), picture(points), shipped(weights)


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
