#!/usr/bin/env python3
"""Holds ranklint's SARIF against Microsoft's SARIF Multitool: check.py MULTITOOL RANKLINT.

Two logs are made of the programs of testdata/rules: a plain one, and one held against a baseline that knows half of the
findings. Each has to pass the rules of SARIF and those of GitHub code scanning without an error or a warning, and each
primaryLocationLineHash has to be the one that the tool computes by itself. The tool exits with 0 whatever it finds, so
its report is read.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HASH = "primaryLocationLineHash"


def run(command, folder, allowed=(0,)):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def results_of(log):
    return [result for each in json.loads(log.read_text())["runs"] for result in each.get("results", [])]


def complaints(multitool, log, scratch):
    report = scratch / "validation.sarif"
    run([multitool, "validate", "--max-file-size-in-kb", "100000", "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning;Note", log, "-o", report, "--log", "ForceOverwrite"],
        scratch)
    return [f"{r['ruleId']} {r['message'].get('text') or r['message']}" for r in results_of(report)
            if r.get("level", "warning") in ("error", "warning")]


def differing_hashes(multitool, log, scratch):
    """The tool keeps a hash that is there, so it is given the log without."""
    ours = results_of(log)
    stripped = json.loads(log.read_text())
    for each in stripped["runs"]:
        for result in each["results"]:
            result["partialFingerprints"].pop(HASH, None)
    without, with_theirs = scratch / "without.sarif", scratch / "theirs.sarif"
    without.write_text(json.dumps(stripped))
    run([multitool, "rewrite", without, "-o", with_theirs, "--insert", "RollingHashPartialFingerprints", "--log", "ForceOverwrite"], scratch)
    theirs = results_of(with_theirs)
    assert len(ours) == len(theirs), "the tool lost results"
    return [f"{a['ruleId']} {a['partialFingerprints'].get(HASH)} is {b['partialFingerprints'].get(HASH)}"
            for a, b in zip(ours, theirs) if a["partialFingerprints"].get(HASH) != b["partialFingerprints"].get(HASH)]


def logs(ranklint, scratch):
    folder = ROOT / "testdata/rules"
    plain, held, baseline = scratch / "plain.sarif", scratch / "held.sarif", scratch / "baseline.json"
    check = [ranklint, "check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "sarif"]
    run([*check, "--output-file", plain, "."], folder)
    run([ranklint, "baseline", "create", "--isolated", "--baseline", baseline, "--select", "RL101", "."], folder)
    run([*check, "--baseline", baseline, "--output-file", held, "."], folder)
    return [plain, held]


def main():
    multitool, ranklint = sys.argv[1:3]
    failed = False
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for log in logs(ranklint, scratch):
            results = results_of(log)
            wrong = complaints(multitool, log, scratch)
            wrong += differing_hashes(multitool, log, scratch)
            states = dict(collections.Counter(r.get("baselineState", "none") for r in results))
            flows = sum(1 for r in results if r.get("codeFlows"))
            print(f"{log.name}: {len(results)} results, {flows} with a flow per rank class, baseline states {states}: {len(wrong)} complaints")
            for line in wrong[:20]:
                print("  " + line)
            failed = failed or bool(wrong) or not results
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
