"""Changes that are planted into real Python source, one at a place: what people write that an analyser may never have met.

Each operator takes the text of one expression or statement and gives another text for it. The result need not mean what
it meant; nothing is ever run. A few damage the text, as somebody who types does.
"""

import ast

RANK = "__import__('torch').distributed.get_rank()"
BARRIER = "__import__('torch').distributed.barrier()"


class Place:
    """Where a change may go: a statement or an expression of a file, by its offsets."""

    def __init__(self, text, node, offsets, in_function, in_loop):
        self.node, self.in_function, self.in_loop = node, in_function, in_loop
        self.begin = offsets[node.lineno - 1] + len(text.lines[node.lineno - 1].encode()[: node.col_offset].decode())
        self.end = offsets[node.end_lineno - 1] + len(text.lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode())
        self.source = text.source[self.begin : self.end]
        self.indent = node.col_offset

    @property
    def is_single_line(self):
        return self.node.lineno == self.node.end_lineno


class Text:
    """A file that can be parsed, and the places in it."""

    def __init__(self, source):
        self.source = source
        self.lines = source.splitlines(keepends=True)
        offsets, at = [], 0
        for line in self.lines:
            offsets.append(at)
            at += len(line)
        self.statements, self.expressions, self.calls = [], [], []
        self._walk(ast.parse(source), offsets, False, False)

    def _walk(self, node, offsets, in_function, in_loop):
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(child, (ast.JoinedStr, ast.expr_context)):
                    continue
                is_body = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
                if isinstance(child, ast.stmt) and field in ("body", "orelse", "finalbody"):
                    self.statements.append(Place(self, child, offsets, in_function, in_loop))
                elif isinstance(child, ast.Call) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load) and field != "decorator_list":
                    self.calls.append(Place(self, child, offsets, in_function, in_loop))
                elif isinstance(child, (ast.Name, ast.Attribute, ast.Compare, ast.BoolOp)) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load) and field in ("value", "test", "args", "func", "iter"):
                    self.expressions.append(Place(self, child, offsets, in_function, in_loop))
                loops = isinstance(child, (ast.For, ast.While)) or (in_loop and not is_body)
                self._walk(child, offsets, in_function or is_body, loops and not is_body)


def callee_of(place):
    """The source of what a call calls, and of its arguments with their parentheses."""
    func = place.node.func
    if func.lineno != func.end_lineno or func.lineno != place.node.lineno:
        return None
    length = func.end_col_offset - func.col_offset
    begin = func.col_offset - place.node.col_offset
    raw = place.source.encode()
    return raw[begin : begin + length].decode(), raw[begin + length :].decode()


def on_callee(template):
    def operator(place, rng):
        parts = callee_of(place)
        return parts and template.replace("{f}", parts[0]).replace("{a}", parts[1]).replace("{r}", RANK).replace("{b}", BARRIER)
    return operator


CALLS = {
    "callee-chosen-by-rank": on_callee("({f} if {r} == 0 else (lambda *a, **k: None)){a}"),
    "lambdas-chosen-by-rank": on_callee("((lambda *a, **k: {f}(*a, **k)) if {r} else (lambda *a, **k: {b})){a}"),
    "called-in-a-lambda": on_callee("(lambda *a, **k: {f}(*a, **k)){a}"),
    "called-from-a-table": on_callee("[{f}, {f}][{r} % 2]{a}"),
    "called-from-a-dictionary": on_callee("{{0: {f}}.get({r}, {f})}".replace("{{0", "({0").replace("{f})}", "{f}))") + "{a}"),
    "called-as-partial": on_callee("__import__('functools').partial({f}){a}"),
    "called-by-map": on_callee("list(map(lambda g: g{a}, [{f}]))[0]"),
    "called-through-getattr": on_callee("getattr({f}, '__call__'){a}"),
    "called-as-property": on_callee("type('P', (), {'run': property(lambda self: {f})})().run{a}"),
    "called-by-a-class": on_callee("type('C', (), {'__call__': lambda self, *a, **k: {f}(*a, **k)})(){a}"),
    "called-by-star": on_callee("(lambda f, *a, **k: f(*a, **k))({f}, *[], **{}) or {f}{a}"),
    "called-after-or": on_callee("({r} or {f}){a}"),
    "called-by-itself": on_callee("(lambda f: f(f))(lambda f: f) and {f}{a}"),
    "called-in-an-exec": on_callee("(exec('pass'), {f}{a})[1]"),
}

EXPRESSIONS = {
    "chosen-by-rank": lambda p, r: f"({p.source} if {RANK} == 0 else {p.source})",
    "kept-in-a-lambda": lambda p, r: f"(lambda: {p.source})()",
    "kept-by-default": lambda p, r: f"(lambda kept={p.source}: kept)()",
    "first-of-a-list": lambda p, r: f"[{p.source}, {RANK}][0]",
    "first-of-a-generator": lambda p, r: f"next(iter(y for y in [{p.source}]))",
    "in-a-conjunction": lambda p, r: f"({p.source} and {RANK} < 4)",
    "compared-with-a-rank": lambda p, r: f"({p.source} == {RANK})",
    "gathered-by-a-comprehension": lambda p, r: f"{{k: v for k, v in [({RANK}, {p.source})]}}[0]",
    "negated": lambda p, r: f"(not {p.source})",
    "formatted": lambda p, r: f"'%s' % ({p.source},)",
    "long-chain": lambda p, r: f"({p.source}{'.a' * r.randrange(1, 300)})",
    "deep-parentheses": lambda p, r: "(" * 40 + p.source + ")" * 40,
    "long-sum": lambda p, r: "(" + " + ".join([p.source] * r.randrange(2, 60)) + ")",
    "assigned-on-the-way": lambda p, r: f"(planted := {p.source})" if p.in_function else None,
}


def around(before, after=(), levels=1):
    """A statement with lines around it, and itself deeper by that many levels."""
    def operator(place, rng):
        if not place.is_single_line and ('"""' in place.source or "'''" in place.source or "\\\n" in place.source):
            return None
        pad = " " * place.indent
        inner = "    " * levels
        deeper = [(inner + line) if i and line.strip() else line for i, line in enumerate(place.source.split("\n"))]
        text = [line.replace("{r}", RANK).replace("{b}", BARRIER) for line in before]
        text = [text[0]] + [pad + line for line in text[1:]] + [pad + inner + deeper[0]] + deeper[1:]
        return "\n".join(text + [pad + line.replace("{r}", RANK).replace("{b}", BARRIER) for line in after])
    return operator


def beside(before=(), after=()):
    def operator(place, rng):
        pad = " " * place.indent
        lines = [line.replace("{r}", RANK).replace("{b}", BARRIER) for line in before] + [place.source]
        return ("\n" + pad).join(lines + [line.replace("{r}", RANK).replace("{b}", BARRIER) for line in after])
    return operator


def in_function(operator):
    return lambda place, rng: operator(place, rng) if place.in_function else None


def in_loop(operator):
    return lambda place, rng: operator(place, rng) if place.in_loop else None


STATEMENTS = {
    "guarded": around(["if {r} == 0:"]),
    "guarded-on-both-sides": around(["if {r} == 0:", "    {b}", "else:"]),
    "once-a-rank": around(["for _ in range({r}):"]),
    "while-alone": around(["while {r} == 0:"], ["    break"]),
    "in-a-try": around(["try:"], ["except Exception:", "    {b}"]),
    "in-a-try-that-leaves": in_function(around(["try:"], ["except Exception:", "    return None", "finally:", "    {b}"])),
    "in-a-with": around(["with __import__('contextlib').suppress(OSError):"]),
    "in-a-match": around(["match {r}:", "    case 0: {b}", "    case [x, *_] | {'k': x}: {b}", "    case _:"], levels=2),
    "in-a-function": in_function(lambda p, r: None if "return" in p.source or "yield" in p.source else around(["def planted():"], ["planted()"])(p, r)),
    "in-a-callback": in_function(lambda p, r: None if "return" in p.source or "yield" in p.source else around(["def planted(*a):"], ["[f(0) for f in [planted, lambda *a: {b}]]"])(p, r)),
    "in-a-generator": in_function(lambda p, r: None if "return" in p.source else around(["def planted():", "    yield {b}"], ["for _ in planted():", "    pass"])(p, r)),
    "in-a-class": in_function(lambda p, r: None if "return" in p.source or "yield" in p.source else around(["class Planted:", "    kept = {r}", "    def run(self):", "        {b}", "    if True:"], ["Planted().run()"], levels=2)(p, r)),
    "left-early": in_function(beside(["if {r} != 0:", "    return None"])),
    "left-by-raise": in_function(beside(["if {r} > 1:", "    raise ValueError({r})"])),
    "left-by-exit": beside(["if {r}:", "    __import__('sys').exit(1)"]),
    "next-round": in_loop(beside(["if {r} % 2:", "    continue"])),
    "last-round": in_loop(beside(after=["if {r} == 0:", "    break"])),
    "twice": lambda p, r: beside(after=[p.source])(p, r),
    "barrier-before": beside(["{b}"]),
    "callback-before": beside(["planted = (lambda: {b}) if {r} == 0 else (lambda: None)", "planted()"]),
    "global-before": in_function(beside(["global planted_here", "planted_here = {r}", "if planted_here: {b}"])),
    "deleted": lambda p, r: "pass",
    "decorated": lambda p, r: None if not isinstance(p.node, (ast.FunctionDef, ast.ClassDef)) or p.node.decorator_list else ("\n" + " " * p.indent).join(
        [f"@(lambda f: (lambda *a, **k: f(*a, **k)) if {RANK} == 0 else f)", p.source]),
    "decorated-as-context": lambda p, r: None if not isinstance(p.node, ast.FunctionDef) or p.node.decorator_list else ("\n" + " " * p.indent).join(
        ["@__import__('contextlib').contextmanager", p.source]),
    "decorated-as-property": lambda p, r: None if not isinstance(p.node, ast.FunctionDef) or p.node.decorator_list else ("\n" + " " * p.indent).join(["@property", p.source]),
}


def cut_off(source, rng):
    return source[: rng.randrange(len(source) + 1)]


def without_a_character(source, rng):
    at = rng.randrange(len(source) or 1)
    return source[:at] + source[at + 1 :]


def with_a_character(source, rng):
    at = rng.randrange(len(source) + 1)
    return source[:at] + rng.choice("()[]{}:,.=*@\n\t'\"\\#\0é") + source[at:]


def with_a_line_twice(source, rng):
    lines = source.splitlines(keepends=True)
    at = rng.randrange(len(lines) or 1)
    return "".join(lines[: at + 1] + lines[at : at + 1] + lines[at + 1 :])


def with_lines_exchanged(source, rng):
    lines = source.splitlines(keepends=True)
    if len(lines) > 1:
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    return "".join(lines)


DAMAGES = {"cut-off": cut_off, "character-lost": without_a_character, "character-typed": with_a_character, "line-twice": with_a_line_twice, "lines-exchanged": with_lines_exchanged}


def plant(source, rng):
    """A changed source and what was planted: "guarded at line 17". Nothing: no operator fits a place that was drawn."""
    if rng.randrange(12) == 0:
        name = rng.choice(sorted(DAMAGES))
        return DAMAGES[name](source, rng), name
    try:
        text = Text(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for _ in range(30):
        places, operators = rng.choice(((text.calls, CALLS), (text.expressions, EXPRESSIONS), (text.statements, STATEMENTS)))
        if not places:
            continue
        place, name = rng.choice(places), rng.choice(sorted(operators))
        made = operators[name](place, rng)
        if made is None:
            continue
        changed = source[: place.begin] + made + source[place.end :]
        try:
            ast.parse(changed)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return changed, f"{name} at line {place.node.lineno}"
    return None
