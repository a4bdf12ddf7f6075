"""PyTorch as a second witness: programs are run on gloo, and collectives are counted as they are issued.

    python3 tests/oracle/oracle.py RANKLINT      all of testdata/oracle/, against what RANKLINT says of it

Ranks are forked from one process that has imported torch, so a run costs milliseconds and not an import per rank.
Ranks count as waiting forever when all of them are asleep, and not by a clock, which a busy machine makes lie.
A rank that would go on if it were given a processor is not.
"""
import contextlib
import datetime
import functools
import glob
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

TIME_OUT = 120.0  # seconds, where ranks neither end nor sleep
LOOKS = 60        # how often one looks, 20 times a second, before ranks that sleep are taken to sleep forever
LINGER = 3.0      # seconds that a rank which has failed stays, so that the others are seen to wait for it
ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "testdata" / "oracle"

_calls = []
_counting = False


def note(name):
    if _counting:
        _calls.append(name)


@contextlib.contextmanager
def counted():
    """Counts what is issued inside. Groups are made through the store, so their making is counted by itself."""
    global _counting
    _calls.clear()
    _counting = True
    try:
        with collective_log():
            yield
    finally:
        _counting = False


def collective_log():
    from torch.distributed.tensor import DTensor
    from torch.utils._python_dispatch import TorchDispatchMode

    class Log(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if any(t is DTensor for t in types):
                return NotImplemented  # its own operations come back here
            if func.namespace in ("c10d", "_c10d_functional") and not func.__name__.startswith(("wait_tensor", "_wrap_tensor")):
                note(func.__name__.split(".")[0].rstrip("_"))
            return func(*args, **(kwargs or {}))

    return Log()


def watch_group_creation():
    from torch.distributed import distributed_c10d as c10d

    for name in ("_new_process_group_helper", "split_group"):
        original = getattr(c10d, name, None)
        if original is None:
            continue

        def watched(*args, _original=original, **kwargs):
            note("new_group")
            return _original(*args, **kwargs)

        functools.update_wrapper(watched, original)
        setattr(c10d, name, watched)


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_rank(rank, world_size, body, report):
    """In a forked child: sets up the world, runs the body, writes what came of it, and ends without clean-up.

    Ranks meet in a file and not at a server, which would end with the rank that runs it. Who has finished stays a
    while, so that the others see a rank that does not come and not a connection that breaks in their last step."""
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(world_size), LOCAL_RANK=str(rank), GLOO_SOCKET_IFNAME="lo")
    outcome = {"finished": False, "error": "", "value": None}
    try:
        dist.init_process_group("gloo", rank=rank, world_size=world_size, store=dist.FileStore(f"{report}/store", world_size),
                                timeout=datetime.timedelta(seconds=TIME_OUT))
        dist.barrier()
        watch_group_creation()
        outcome["value"] = body()
        outcome["finished"] = True
    except BaseException:  # whatever it is, it is told
        outcome["error"] = traceback.format_exc(limit=-2)
    pathlib.Path(report, f"{rank}.new").write_text(json.dumps(outcome))
    os.rename(f"{report}/{rank}.new", f"{report}/{rank}")
    end = time.monotonic() + (TIME_OUT if outcome["finished"] else LINGER)
    while time.monotonic() < end and not all(os.path.exists(f"{report}/{r}") for r in range(world_size)):
        time.sleep(0.01)
    os._exit(0)


def is_asleep(process):
    """Whether every thread of it waits. Who waits for a processor or a disk does not: it is R or D."""
    for path in glob.glob(f"/proc/{process}/task/*/stat"):
        try:
            state = pathlib.Path(path).read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state in "RD":
            return False
    return True


def wait_for(children, report):
    """Until all have ended, or none of those that have not told their outcome will: they are asleep most of the times that
    one looks. (Not always: gloo's threads look at a clock now and then.) Then they are killed."""
    end = time.monotonic() + TIME_OUT + 5
    waiting, looks = dict(enumerate(children)), []
    while waiting and time.monotonic() < end:
        time.sleep(0.05)
        for rank, child in list(waiting.items()):
            if os.waitpid(child, os.WNOHANG)[0]:
                del waiting[rank]
        at_work = [child for rank, child in waiting.items() if not os.path.exists(f"{report}/{rank}")]
        if looks and set(looks[0]) != set(at_work):
            looks.clear()
        looks.append({child: is_asleep(child) for child in at_work})
        if at_work and len(looks) >= LOOKS and all(sum(look[child] for look in looks[-LOOKS:]) > LOOKS / 2 for child in at_work):
            break
    for child in waiting.values():
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def run_world(world_size, body):
    """What each rank came to: its outcome, or None for one that never ended."""
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as report:
        children = []
        for rank in range(world_size):
            child = os.fork()
            if child == 0:
                run_rank(rank, world_size, body, report)
            children.append(child)
        wait_for(children, report)
        files = [pathlib.Path(report, str(rank)) for rank in range(world_size)]
        return [json.loads(f.read_text()) if f.exists() else None for f in files]


def cases_of(path):
    """The functions that count something, in the order of the file."""
    text = path.read_text()
    return [name for name, body in re.findall(r"^def (\w+)\(.*?\):\n((?:    .*\n|\n)+)", text, re.M) if "with counted():" in body]


def findings(ranklint, path):
    command = [ranklint, "check", "--isolated", "--no-cache", "--min-confidence", "possible", "--output-format", "json", path.name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=path.parent)
    if done.returncode not in (0, 1):
        sys.exit(f"oracle: {' '.join(command)} failed: {done.stderr}")
    return json.loads(done.stdout)["findings"]


def analysis_says(finding):
    """Its confidence, before it was hidden for how often findings like it were real where they were judged: what PyTorch
    does can bear out or refute the analysis, not that count."""
    only_counted = [doubt["id"] for doubt in finding.get("doubts", [])] == ["seldom-real"]
    return finding["arrived_at"] if only_counted else finding["confidence"]


def claims_of(ranklint, path):
    """Per function: the surest thing ranklint says of a rank condition in the place of `counted()`."""
    with tempfile.TemporaryDirectory() as folder:
        guarded = pathlib.Path(folder, path.name)
        guarded.write_text(path.read_text().replace("with counted():", "if dist.get_rank() == 0:"))
        order = ["possible", "likely", "high", "certain"]
        claims = {}
        for finding in findings(ranklint, guarded):
            if finding["witness"] is None:
                continue
            known = claims.get(finding["function"], "possible")
            claims[finding["function"]] = max(known, analysis_says(finding), key=order.index)
        return claims


def issued_in(module, name):
    """What the first rank issued in a world of four; None when a rank fails, with its error printed."""
    def body():
        getattr(module, name)()
        return list(_calls)

    outcomes = run_world(4, body)
    for outcome in outcomes:
        if outcome is None or not outcome["finished"]:
            print(outcome["error"] if outcome else f"a rank of {name} never ended", file=sys.stderr)
            return None
    return outcomes[0]["value"]


def judge(name, claim, calls):
    if calls is None:
        return "DOES NOT RUN"
    claimed = claim in ("likely", "high", "certain")
    if name.endswith("_fp"):
        return "ok, known" if claimed and not calls else "KNOWN AS A FALSE ALARM, and is none"
    if name.endswith("_later"):
        return "ok, later" if claimed and not calls else "SAID TO COME LATER, and does not"
    if name.endswith("_fn"):
        return "ok, known" if calls and not claimed else "KNOWN AS A MISS, and is none"
    if claimed and not calls:
        return "CLAIMED, and nothing was issued"
    return "NOT CLAIMED" if claim == "none" and calls else "ok"


def check_claims(ranklint, path):
    claims, wrong, module = claims_of(ranklint, path), [], load(path)
    for name in cases_of(path):
        claim, calls = claims.get(name, "none"), issued_in(module, name)
        verdict = judge(name, claim, calls)
        print(f"  {name:44} {claim:9} {', '.join(calls or []):50} {verdict}")
        if not verdict.startswith("ok"):
            wrong.append(f"{path.name}: {name}: {verdict}")
    return wrong


def check_program(ranklint, path):
    """`bad` must not end well and ranklint must say so, unless the program names that as MISSED; `good` must finish and
    ranklint must be silent."""
    said = {f["function"] for f in findings(ranklint, path) if analysis_says(f) != "possible"}
    text = path.read_text()
    world_size = int(re.search(r"^WORLD_SIZE = (\d)", text, re.M).group(1))
    to_be_told = re.search(r"^MISSED = True", text, re.M) is None
    wrong = []
    for which in ("bad", "good"):
        outcomes = run_world(world_size, lambda: getattr(load(path), which)() and None)
        ended_well = all(o is not None and o["finished"] for o in outcomes)
        told = any(f == which or f.startswith(which + ".") for f in said)
        verdict = "ok" if ended_well == (which == "good") and told == (which == "bad" and to_be_told) else "WRONG"
        state = "finishes" if ended_well else "does not end well"
        print(f"  {path.stem:44} {which:5} on {world_size} ranks {state:18} ranklint {'reports it' if told else 'is silent':10}  {verdict}")
        if verdict != "ok":
            wrong.append(f"{path.name}: {which} {state}, ranklint {'reports it' if told else 'is silent'}: {[o and o['error'] for o in outcomes]}")
    return wrong


def models_without_a_program():
    """Of PyTorch's functions that a model says to communicate: those that nothing here calls."""
    text = "".join(path.read_text() for path in DATA.rglob("*.py"))
    without = []
    for path in sorted((ROOT / "rules" / "models").glob("torch_*.json")):
        for model in json.loads(path.read_text())["models"]:
            last = model["name"].rpartition(".")[2]
            called = last if last != "forward" else model["name"].split(".")[-2]
            if model["kind"] in ("collective", "point-to-point", "group-create") and not re.search(rf"\b{called}\(", text):
                without.append(model["name"].replace("torch.distributed.", "").lstrip("*."))
    return without


def main():
    import torch
    import torch.distributed.checkpoint.state_dict  # once, before the forks
    import torch.distributed.fsdp
    import torch.distributed.tensor

    sys.modules["oracle"] = sys.modules[__name__]
    ranklint = str(pathlib.Path(sys.argv[1]).resolve())
    only = sys.argv[2:]  # programs by name
    print(f"PyTorch {torch.__version__}: collectives that are issued, and what ranklint claims")
    counted_in = [] if only else sorted(DATA.glob("*.py"))
    wrong = [line for path in counted_in for line in check_claims(ranklint, path)]
    cases = sum(len(cases_of(path)) for path in counted_in) - len(wrong)
    print("programs")
    passed = 0
    for path in sorted((DATA / "programs").glob("*.py")):
        if not only or path.stem in only:
            found = check_program(ranklint, path)
            wrong += found
            passed += not found
    without = models_without_a_program()
    print(f"{len(without)} models that claim communication are called by none of these: {', '.join(without)}")
    for line in wrong:
        print("oracle:", line, file=sys.stderr)
    print(f"oracle: {cases + passed} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
