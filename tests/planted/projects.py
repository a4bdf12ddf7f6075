"""Random projects of several files: whatever Python allows about functions that travel between modules.

A project need not mean anything and is never run. It has communication under conditions on ranks, and functions, classes,
generators, decorators and lambdas that are imported, handed over, kept, returned, chosen between and called somewhere else.
"""

GROUPS = ("None", "group", "dist.group.WORLD", "self.group", "GROUP", "mesh.get_group('tp')", "dist.new_group([0, 1])")
OPERATIONS = ("all_reduce(x{g})", "broadcast(x, 0{g})", "barrier({k})", "all_gather(xs, x{g})", "reduce(x, dst=0{g})",
              "all_gather_object(xs, x{g})", "broadcast_object_list(xs, src=0{g})", "scatter(x, xs{g})",
              "all_reduce(x, async_op=True{g})", "send(x, 1{g})", "recv(x, 0{g})", "isend(x, dst=1{g})", "monitored_barrier()",
              "reduce_scatter_tensor(x, x{g})", "destroy_process_group()", "init_process_group('nccl', rank=rank)")
RANKS = ("dist.get_rank()", "rank", "self.rank", "RANK", "dist.get_rank(group)", "int(os.environ['RANK'])", "local_rank",
         "dist.get_world_size() - 1", "mesh.get_local_rank('tp')", "(lambda: dist.get_rank())()")
TESTS = ("{r} == 0", "{r} != 0", "{r} % 2 == 0", "{r} < 4", "{r} in (0, 3)", "not {r}", "{r} // 2 == 1", "0 < {r} <= 3",
         "x is None", "flag", "os.path.exists('a')", "isinstance(x, list)", "len(xs) > {r}", "time.time() > 3",
         "(({r} == 0) if flag else ({r} == 1))", "any(y == {r} for y in xs)", "x and {r} == 0", "flag or {r} > 1",
         "(n := {r}) > 2", "{r} == x.index(0)", "hasattr(x, 'rank')")
PARAMETERS = ("x", "xs=()", "flag=False", "*args", "group=None", "**kwargs", "act=None", "rank=0", "mesh=None")


class Module:
    """What a module defines, by kind, for others to import."""

    def __init__(self, name):
        self.name = name
        self.functions, self.classes, self.decorators, self.generators, self.callables = [], [], [], [], []

    def all_names(self):
        return self.functions + self.classes + self.decorators + self.generators + self.callables


class Writer:
    """Writes one module, which may name what earlier modules define, and, late, what any module does."""

    def __init__(self, rng, module, modules):
        self.rng, self.module, self.modules = rng, module, modules
        self.known = Module(module.name)  # what can be named here: its own and what was imported
        self.count = 0

    def pick(self, things):
        return self.rng.choice(things)

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    # Expressions.

    def test(self, depth=0):
        text = self.pick(TESTS).replace("{r}", self.pick(RANKS))
        if depth < 2 and self.chance(15):
            text = f"({text}) {self.pick(('and', 'or'))} ({self.test(depth + 1)})"
        return f"not ({text})" if self.chance(10) else text

    def operation(self):
        named = f", group={self.pick(GROUPS)}" if self.chance(40) else ""
        return "dist." + self.pick(OPERATIONS).replace("{g}", named).replace("{k}", named.removeprefix(", "))

    def arguments(self, depth):
        given = []
        for _ in range(self.rng.randrange(4)):
            given.append(self.pick((lambda: "x", lambda: "xs", lambda: self.callee(depth + 1), lambda: self.pick(RANKS),
                                    lambda: f"*{self.pick(('args', 'xs', '[x]'))}",
                                    lambda: f"(lambda *a, **k: {self.value(depth + 1)})"))())
        if self.chance(20):
            given.append(self.pick(("act=" + self.callee(depth + 1), "group=group", "**kwargs", "flag=" + self.test(2))))
        return ", ".join(given)

    def callee(self, depth=0):
        """Something that can be called, however it is named."""
        known = self.known
        ways = [lambda: "act", lambda: "self.act", lambda: "self.step", lambda: "dist.barrier", lambda: "args[0]",
                lambda: f"(lambda *a: {self.value(depth + 1)})"]
        if known.functions:
            ways += [lambda: self.pick(known.functions)] * 3
            ways += [lambda: f"partial({self.pick(known.functions)}, {self.pick(('x', 'group=group', 'act=act'))})",
                     lambda: f"TABLE[{self.pick(RANKS)}]", lambda: f"getattr({self.module.name}_self, 'step')"]
        if known.classes:
            ways += [lambda: self.pick(known.classes), lambda: f"{self.pick(known.classes)}(x).step",
                     lambda: f"{self.pick(known.classes)}.make", lambda: f"super({self.pick(known.classes)}, self).step"]
        if known.generators:
            ways += [lambda: self.pick(known.generators)]
        if known.callables:
            ways += [lambda: self.pick(known.callables)] * 2
        if depth < 3:
            ways += [lambda: f"({self.callee(depth + 1)} if {self.test(2)} else {self.callee(depth + 1)})",
                     lambda: f"({self.callee(depth + 1)} or {self.callee(depth + 1)})",
                     lambda: f"{{0: {self.callee(depth + 1)}, 1: {self.callee(depth + 1)}}}[{self.pick(RANKS)}]",
                     lambda: f"{self.callee(depth + 1)}({self.arguments(depth + 1)})"]
            if known.decorators:
                ways += [lambda: f"{self.pick(known.decorators)}({self.callee(depth + 1)})"]
        return self.pick(ways)()

    def call(self, depth=0):
        return f"{self.callee(depth)}({self.arguments(depth)})"

    def value(self, depth=0):
        if depth > 3:
            return "x"
        return self.pick((lambda: self.call(depth + 1), self.operation, lambda: "x", lambda: self.pick(RANKS), self.test,
                          lambda: f"[{self.value(depth + 1)} for y in xs if {self.test(2)}]", lambda: "None",
                          lambda: f"({self.value(depth + 1)} if {self.test(2)} else {self.value(depth + 1)})",
                          lambda: f"x.{self.pick(('step', 'act', 'size', 'grad', 'wait'))}({self.arguments(depth + 1)})",
                          lambda: f"{{'k': {self.value(depth + 1)}, **x}}", lambda: f"x[{self.value(depth + 1)}:]"))()

    # Statements, as lists of lines.

    def block(self, depth, inside=""):
        lines = []
        for _ in range(self.rng.randrange(1, 4)):
            lines += self.statement(depth, inside)
        return ["    " + line for line in lines]

    def statement(self, depth, inside):
        simple = [lambda: [self.call()], lambda: [self.operation()], lambda: [f"x = {self.value()}"],
                  lambda: [f"act = {self.callee()}"], lambda: [f"self.act = {self.callee()}"], lambda: ["act(x)"],
                  lambda: [f"work = {self.operation()}", "work.wait()"], lambda: [f"x.append({self.value()})"],
                  lambda: [f"xs[{self.pick(RANKS)}] = {self.callee()}"], lambda: [f"x, *xs = {self.value()}"],
                  lambda: [f"return {self.value()}"], lambda: [f"raise RuntimeError({self.value(3)})"],
                  lambda: [f"assert {self.test()}"], lambda: [f"rank: int = {self.pick(RANKS)}"], lambda: ["del x"],
                  lambda: [f"self.rank = {self.value()}"], lambda: [f"x += {self.value()}"]]
        if "loop" in inside:
            simple += [lambda: [f"if {self.test()}: {self.pick(('break', 'continue'))}"]] * 2
        if "generator" in inside:
            simple += [lambda: [f"yield {self.value()}"], lambda: [f"yield from {self.value()}"], lambda: [f"x = yield {self.callee()}"]] * 2
        if depth >= 2 or self.chance(50):
            return self.pick(simple)()
        return self.pick((self.branch, self.branch, self.loop, self.attempt, self.context, self.inner, self.matching))(depth + 1, inside)

    def branch(self, depth, inside):
        lines = [f"if {self.test()}:"] + self.block(depth, inside)
        while self.chance(25):
            lines += [f"elif {self.test()}:"] + self.block(depth, inside)
        return lines + (["else:"] + self.block(depth, inside) if self.chance(40) else [])

    def loop(self, depth, inside):
        over = self.pick((lambda: f"for y in {self.pick(('xs', 'range(3)', 'set(xs)', 'os.listdir(x)', self.value(2)))}:",
                          lambda: f"for i, (y, *rest) in enumerate({self.pick(('xs', 'zip(xs, args)'))}):",
                          lambda: f"for y in range({self.pick(RANKS)}):", lambda: f"while {self.test()}:", lambda: "while True:"))()
        return [over] + self.block(depth, inside + " loop") + (["else:"] + self.block(depth, inside) if self.chance(15) else [])

    def attempt(self, depth, inside):
        lines = ["try:"] + self.block(depth, inside)
        if self.chance(80):
            lines += [self.pick(("except OSError as e:", "except (ValueError, KeyError):", "except torch.cuda.OutOfMemoryError:", "except:"))] + self.block(depth, inside)
            lines += ["else:"] + self.block(depth, inside) if self.chance(20) else []
            lines += ["finally:"] + self.block(depth, inside) if self.chance(20) else []
            return lines
        return lines + ["finally:"] + self.block(depth, inside)

    def context(self, depth, inside):
        what = self.pick((lambda: f"{self.call(2)} as y", lambda: "open(x) as y", lambda: "torch.no_grad()", lambda: "self.lock, self.step(x)",
                          lambda: "model.no_sync()", lambda: f"closing({self.value(2)})"))()
        return [f"with {what}:"] + self.block(depth, inside)

    def matching(self, depth, inside):
        lines = [f"match {self.value(2)}:"]
        for pattern in self.rng.sample(("0", "[x, *xs]", "{'k': act}", "str(y) | int(y)", "None", "y if y == rank"), 2) + ["_"]:
            lines += ["    " + line for line in [f"case {pattern}:"] + self.block(depth, inside)]
        return lines

    def inner(self, depth, inside):
        """A function within a function, which may capture what is around it, and is called, kept or handed over."""
        name = self.fresh("inner")
        lines = [f"{self.pick(('', '', 'async '))}def {name}({self.parameters()}):"]
        lines += (["    nonlocal_x = x"] if self.chance(30) else []) + self.block(depth, self.pick(("", "generator")))
        return lines + self.pick(([f"{name}(x)"], [f"act = {name}"], [f"self.act = {name}"], [f"return {name}"], [f"{self.callee()}({name})"]))

    # Definitions.

    def parameters(self, first=()):
        chosen = [p for p in PARAMETERS if self.chance(45)]
        plain = [p for p in chosen if p[0] != "*" and "=" not in p]
        rest = [p for p in chosen if "=" in p and p[0] != "*"]
        stars = [p for p in chosen if p == "*args"] + [p for p in chosen if p == "**kwargs"]
        return ", ".join(list(first) + plain + rest + stars)

    def function(self, first=(), inside=""):
        name = self.fresh(f"{self.module.name}_f")
        lines = self.decoration() if self.chance(25) else []
        return name, lines + [f"{'async ' if self.chance(4) else ''}def {name}({self.parameters(first)}):"] + self.block(0, inside)

    def decoration(self):
        own = self.known.decorators
        return [f"@{self.pick(own)}" + (f"({self.arguments(3)})" if self.chance(20) else "")] if own else ["@torch.no_grad()"]

    def decorator(self):
        name = self.fresh(f"{self.module.name}_d")
        wrapper = ["    def wrapper(*args, **kwargs):"] + ["    " + line for line in self.block(1)]
        wrapper += [self.pick(("        return act(*args, **kwargs)", "        if dist.get_rank() == 0:\n            return act(*args, **kwargs)",
                               "        for x in xs:\n            act(x)", "        dist.barrier()\n        act()"))]
        if self.chance(50):
            wrapper = ["    @wraps(act)"] + wrapper
        return name, [f"def {name}(act, xs=()):"] + wrapper + [f"    return {self.pick(('wrapper', 'wrapper', 'partial(wrapper)', 'act if flag else wrapper'))}"]

    def klass(self):
        name = self.fresh(self.module.name.upper() + "_C")
        bases = [b for b in self.known.classes if self.chance(30)][:2] + (["nn.Module"] if self.chance(25) else [])
        lines = ["@dataclass"] if self.chance(15) else []
        lines += [f"class {name}({', '.join(bases)}):", f"    GROUP = {self.value(3)}"]
        if self.chance(20):
            lines += ["    rank: int = 0", "    act: object = None"]
        methods = ["__init__", "step"] + [m for m in ("make", "__call__", "forward", "__enter__", "__exit__", "__iter__", "__del__", "rank", "__getattr__", "act") if self.chance(35)]
        for method in methods:
            first = "cls" if method == "make" else "self"
            before = {"make": ["@classmethod"], "rank": [self.pick(("@property", "@cached_property", "@staticmethod"))]}.get(method, [])
            before = before or (self.decoration() if self.chance(12) else [])
            body = self.block(0, "generator" if method == "__iter__" or self.chance(8) else "")
            if method == "__init__":
                body = ["    self.act, self.rank, self.group = act, dist.get_rank(), group"] + body
                head = f"def __init__(self, x=None, act=None, group=None, *args, **kwargs):"
            else:
                head = f"def {method}({self.parameters((first,))}):"
            lines += ["    " + line for line in before + [head] + body]
        return name, lines

    def imports(self):
        lines = []
        for other in self.modules:
            names = other.all_names()
            if other is self.module or not names or self.chance(25):
                continue
            chosen = self.rng.sample(names, min(len(names), self.rng.randrange(1, 6)))
            way = self.rng.randrange(4)
            if way == 0:
                lines.append(f"from .{other.name} import *")
                chosen = names
            elif way == 1:
                lines.append(f"from . import {other.name}")
            else:
                lines.append(f"from .{other.name} import " + ", ".join(chosen))
            for kind in ("functions", "classes", "decorators", "generators", "callables"):
                for name in getattr(other, kind):
                    if name in chosen:
                        getattr(self.known, kind).append(f"{other.name}.{name}" if way == 1 else name)
        return lines

    def write(self):
        head = ["import os, time", "import torch", "import torch.distributed as dist", "from torch import nn", "from contextlib import closing, contextmanager",
                "from dataclasses import dataclass", "from functools import cached_property, partial, wraps"] + self.imports()
        own, body = self.module, ["", f"RANK = {self.pick(RANKS[:1] + RANKS[5:6])}", "GROUP = None"]
        for _ in range(self.rng.randrange(4, 9)):
            kind = self.pick(("functions", "functions", "functions", "classes", "decorators", "generators", "callables", "contexts"))
            if kind == "classes":
                name, lines = self.klass()
            elif kind == "decorators":
                name, lines = self.decorator()
            elif kind == "callables":
                name = self.fresh(f"{own.name}_v")
                lines = [f"{name} = {self.callee()}"]
            elif kind == "contexts":
                name, lines = self.function(inside="generator")
                lines, kind = ["@contextmanager"] + [l for l in lines if not l.startswith("@")], "generators"
            else:
                name, lines = self.function(inside="generator" if kind == "generators" else "")
            getattr(own, kind).append(name)
            getattr(self.known, kind).append(name)
            body += ["", ""] + lines
        body += ["", f"TABLE = [{', '.join(self.known.functions[:4])}]", f"{own.name}_self = {self.callee()}"]
        if self.chance(50):
            body += ["", "if __name__ == '__main__':"] + self.block(1)
        return "\n".join(head + body) + "\n"


def project(rng):
    """The files of one project, by name."""
    modules = [Module(name) for name in ("a", "b", "c", "d")[: rng.randrange(2, 5)]]
    files = {"__init__.py": ""}
    writers = [Writer(rng, module, modules) for module in modules]
    for writer in writers:
        files[writer.module.name + ".py"] = writer.write()
    if rng.randrange(2):  # once more, now that each knows what the later ones define: modules that import each other
        names = {name for module in modules for name in module.all_names()}
        late = Writer(rng, Module("late"), modules)
        files["late.py"] = late.write()
        files[modules[0].name + ".py"] += f"\nfrom .late import *\nfrom .late import {rng.choice(late.module.all_names())}  # of {len(names)}\n"
    return files
