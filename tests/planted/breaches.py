"""One breach of a contract at a time, planted into correct source; and twins, which look alike and break nothing.

Which calls are collectives the models of torch.distributed say. An operator takes a place, its indentation and the lines of its
statement, and gives the lines that stand there instead; nothing where it does not fit.
"""

import ast
import collections
import json
import pathlib

MODELS = pathlib.Path(__file__).resolve().parents[2] / "rules/models/torch_distributed.json"
DIST = "torch.distributed"
# What is planted has a name of its own for it: `import torch` would make torch a local variable of the whole function.
IMPORT, RANK = "import torch.distributed as planted", "planted.get_rank()"

Place = collections.namedtuple("Place", "path function statement call kind")
Operator = collections.namedtuple("Operator", "contract kinds plant breaks")


def names_of_models():
    """The last names of the calls of torch.distributed, by the kind of their model."""
    by_kind = collections.defaultdict(set)
    for model in json.loads(MODELS.read_text())["models"]:
        if model["name"].startswith(DIST + ".") and model["name"].count(".") == 2:
            by_kind[model["kind"]].add(model["name"].rpartition(".")[2])
    return by_kind


NAMES = names_of_models()
WORKS, STARTS = {"wait"}, {"isend", "irecv", "batch_isend_irecv"}
BINDS = {"set_device", "device"}


def dotted(node):
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def kind_of(call):
    name, owner = dotted(call.func).rpartition(".")[2], dotted(call.func).rpartition(".")[0]
    is_of_torch = owner.endswith("distributed") or owner == "dist"
    if is_of_torch and name in NAMES["collective"]:
        return "collective"
    if is_of_torch and name in NAMES["group-create"]:
        return "group"
    if is_of_torch and name in ("recv", "irecv"):
        return "receive"
    if name in WORKS and not call.args and not call.keywords and owner:
        return "wait"
    if name in BINDS and "cuda" in owner and len(call.args) == 1:
        return "device"
    return None


def starts(call):
    """Whether the call starts work to wait for. A file without one waits for something else: a process, a thread."""
    is_asked = any(k.arg == "async_op" and isinstance(k.value, ast.Constant) and k.value.value is True for k in call.keywords)
    return is_asked or dotted(call.func).rpartition(".")[2] in STARTS


def numbers(expression):
    """Whether it gives small numbers, whose order in a set all ranks share."""
    return isinstance(expression, ast.Call) and dotted(expression.func) == "range"


def places_in(path, text):
    """The places of one file, in the order in which they stand."""
    tree = ast.parse(text)
    starts_work = any(isinstance(node, ast.Call) and starts(node) for node in ast.walk(tree))
    found = []
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        inner = {id(n) for f in ast.walk(function) if f is not function and isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) for n in ast.walk(f)}
        for statement in ast.walk(function):
            if id(statement) in inner:
                continue
            if isinstance(statement, ast.For) and any(isinstance(c, ast.Call) and kind_of(c) == "collective" for c in ast.walk(statement)):
                found.append(Place(path, function, statement, None, "loop"))
            elif isinstance(statement, (ast.Expr, ast.Assign)) and isinstance(statement.value, ast.Call):
                kind = kind_of(statement.value)
                if kind and (kind != "wait" or starts_work):
                    found.append(Place(path, function, statement, statement.value, kind))
    return sorted(found, key=lambda p: (p.statement.lineno, p.kind))


def deeper(lines):
    return ["    " + line if line.strip() else line for line in lines]


def agreed(condition, imports=IMPORT):
    """Under a condition that all ranks find alike. In one arm of a branch on the rank it would part them all the same."""
    plant = under(condition, imports)
    return lambda place, indent, lines: plant(place, indent, lines) if place.statement in place.function.body else None


def under(condition, imports=IMPORT):
    return lambda place, indent, lines: [indent + imports, f"{indent}if {condition}:"] + deeper(lines)


def replaced(place, node, lines, text):
    """The lines with an expression that stands on one of them replaced."""
    if node.lineno != node.end_lineno:
        return None
    at = node.lineno - place.statement.lineno
    raw = lines[at].encode()
    return [*lines[:at], (raw[: node.col_offset] + text.encode() + raw[node.end_col_offset :]).decode(), *lines[at + 1 :]]


def left_by_some(place, indent, lines):
    return [indent + IMPORT, f"{indent}if {RANK} > 0:", f"{indent}    return None", *lines]


def as_often_as_the_rank(place, indent, lines):
    return [indent + IMPORT, f"{indent}for _ in range(1 + {RANK}):", *deeper(lines)]


def failure_swallowed(place, indent, lines):
    reads = [indent + "import platform", indent + "try:", f"{indent}    notes = open(f'/local/{{platform.node()}}.txt').read()"]
    return [*reads, indent + "except OSError:", indent + "    return None", *lines]


def failure_raised(place, indent, lines):
    reads = [indent + "import platform", indent + "try:", f"{indent}    notes = open(f'/local/{{platform.node()}}.txt').read()"]
    return [*reads, indent + "except OSError:", indent + "    raise", *lines]


def suppressed(place, indent, lines):
    return [indent + "import contextlib, os", f"{indent}with contextlib.suppress(OSError):", f"{indent}    os.unlink('notes.tmp')", *deeper(lines)]


def suppressed_beside_it(place, indent, lines):
    return [indent + "import contextlib, os", f"{indent}with contextlib.suppress(OSError):", f"{indent}    os.unlink('notes.tmp')", *lines]


def left_out(place, indent, lines):
    return [indent + "pass"]


def over_a_set(place, indent, lines):
    over = place.statement.iter
    fits = isinstance(place.statement.target, ast.Name) and not numbers(over)
    return replaced(place, over, lines, f"set({ast.unparse(over)})") if fits else None


def over_keys(place, indent, lines):
    return replaced(place, place.statement.iter, lines, f"dict.fromkeys({ast.unparse(place.statement.iter)})") if isinstance(place.statement.target, ast.Name) else None


def waited_by_another_name(place, indent, lines):
    return [f"{indent}planted_work = {ast.unparse(place.call.func.value)}", f"{indent}planted_work.wait()"] if isinstance(place.statement, ast.Expr) else None


def received_once(place, indent, lines):
    return [f"{indent}for _ in range(1):", *deeper(lines)]


def over(picked):
    """In a loop around a collective, over other elements."""

    def plant(place, indent, lines):
        fits = isinstance(place.statement.target, ast.Name) and not numbers(place.statement.iter)
        new = replaced(place, place.statement.iter, lines, picked.format(ast.unparse(place.statement.iter))) if fits else None
        return new and [indent + IMPORT, *new]

    return plant


def in_a_step(calls):
    """In a function of its own, which is called so."""

    def plant(place, indent, lines):
        fits = isinstance(place.statement, ast.Expr)
        return [indent + line for line in (IMPORT, "def planted_step():")] + deeper(lines) + [indent + line for line in calls] if fits else None

    return plant


def by_global_rank(place, indent, lines):
    new = replaced(place, place.call.args[0], lines, RANK)
    return new and [indent + IMPORT, *new]


def by_local_rank(place, indent, lines):
    new = replaced(place, place.call.args[0], lines, "int(os.environ['LOCAL_RANK'])")
    return new and [indent + "import os", *new]


def in_both_arms(place, indent, lines):
    return [indent + IMPORT, f"{indent}if {RANK} == 0:", *deeper(lines), indent + "else:", *deeper(lines)]


def root_of_its_own(place, indent, lines):
    roots = [k.value for k in place.call.keywords if k.arg in ("src", "dst")]
    new = replaced(place, roots[0], lines, RANK) if roots else None
    return new and [indent + IMPORT, *new]


def root_in_other_words(place, indent, lines):
    roots = [k.value for k in place.call.keywords if k.arg in ("src", "dst")]
    return replaced(place, roots[0], lines, f"({ast.unparse(roots[0])}) + 0") if roots else None


def chosen(condition, imports=IMPORT):
    """The callee kept in a variable, or nothing in its place."""

    def plant(place, indent, lines):
        called = ast.unparse(place.call.func)
        new = replaced(place, place.call.func, lines, "planted_call")
        return new and [indent + imports, f"{indent}planted_call = {called} if {condition} else (lambda *_, **__: None)", *new]

    return plant


def chosen_alike(place, indent, lines):
    is_for_all = place.statement in place.function.body
    return chosen("len(sys.argv) > 2", "import sys")(place, indent, lines) if is_for_all else None


SHARE = f"list({{}})[{RANK} :: planted.get_world_size()]"
ALL, ORDER, FAILS, STEPS = "all members call it", "one order", "a failure reaches all", "as many steps"
OPERATORS = {
    "under a guard on the rank": Operator(ALL, ("collective", "group"), under(f"{RANK} == 0"), True),
    "left by some ranks": Operator(ALL, ("collective",), left_by_some, True),
    "as often as the rank": Operator(STEPS, ("collective",), as_often_as_the_rank, True),
    "by the clock": Operator(ALL, ("collective",), under("time.monotonic() % 2 > 1", "import time"), True),
    "by a file of the host": Operator(ALL, ("collective",), under("os.path.isfile(f'/local/{platform.node()}')", "import os, platform"), True),
    "failure swallowed": Operator(FAILS, ("collective",), failure_swallowed, True),
    "root of its own": Operator("one root", ("collective",), root_of_its_own, True),
    "over a set": Operator(ORDER, ("loop",), over_a_set, True),
    "handle left alone": Operator("somebody waits", ("wait",), left_out, True),
    "receive left out": Operator("a send is received", ("receive",), left_out, True),
    "device of the global rank": Operator("device of the local rank", ("device",), by_global_rank, True),
    "twin: under an option": Operator(ALL, ("collective", "group"), agreed("len(sys.argv) > 2", "import sys"), False),
    "twin: under the size": Operator(ALL, ("collective", "group"), agreed("planted.get_world_size() > 1"), False),
    "twin: in both arms": Operator(ALL, ("collective", "group"), in_both_arms, False),
    "twin: failure raised": Operator(FAILS, ("collective",), failure_raised, False),
    "twin: over keys": Operator(ORDER, ("loop",), over_keys, False),
    "twin: device of the local rank": Operator("device of the local rank", ("device",), by_local_rank, False),
    "in a step of the first rank": Operator(ALL, ("collective",), in_a_step((f"if {RANK} == 0:", "    planted_step()")), True),
    "over its own share": Operator(STEPS, ("loop",), over(SHARE), True),
    "over what it keeps": Operator(STEPS, ("loop",), over(f"[kept for kept in {SHARE} if kept is not None]"), True),
    "twin: in a step of all ranks": Operator(ALL, ("collective",), in_a_step(("planted_step()",)), False),
    "twin: over what all keep": Operator(STEPS, ("loop",), over("[kept for kept in {} if kept is not None]"), False),
    "twin: root in other words": Operator("one root", ("collective",), root_in_other_words, False),
    "twin: waited by another name": Operator("somebody waits", ("wait",), waited_by_another_name, False),
    "twin: received once": Operator("a send is received", ("receive",), received_once, False),
    "callee chosen by the rank": Operator(ALL, ("collective",), chosen(f"{RANK} == 0"), True),
    "over its own share, backwards": Operator(STEPS, ("loop",), over(f"reversed({SHARE})"), True),
    "twin: callee chosen by an option": Operator(ALL, ("collective",), chosen_alike, False),
    "twin: over all, backwards": Operator(STEPS, ("loop",), over("reversed(list({}))"), False),
    "failure suppressed": Operator(FAILS, ("collective",), suppressed, True),
    "by a file of the node": Operator(ALL, ("collective",), under("os.path.isfile('/tmp/planted.flag')", "import os"), True),
    "twin: failure suppressed beside it": Operator(FAILS, ("collective",), suppressed_beside_it, False),
}


def plant(text, place, operator):
    """The text with the operator's change, and by how many lines it grew; nothing where the operator does not fit."""
    lines = text.split("\n")
    first, last = place.statement.lineno - 1, place.statement.end_lineno
    indent, body = lines[first][: place.statement.col_offset], lines[first:last]
    if indent.strip() or any(quote in line for line in body for quote in ('"""', "'''")) or any(line.endswith("\\") for line in body):
        return None
    new = operator.plant(place, indent, body)
    if not new:
        return None
    changed = "\n".join([*lines[:first], *new, *lines[last:]])
    try:
        ast.parse(changed)
    except SyntaxError:
        return None
    return changed, len(new) - len(body)
