#!/usr/bin/env python3
"""How long the language server takes while somebody types: bench/keystrokes.py RANKLINT FOLDER [--files N] [--bursts N] [--checks N] [--pause SECONDS] [FILE...]

Opens files of the workspace FOLDER (those named, else N that follow from a seed, among those that mention a collective), and
types lines into them, letter by letter, at places that follow from a seed: a collective under a rank's condition, and plain
code. Behind each keystroke it asks for the diagnostics of the file: the time until the answer is that from a keystroke to
the diagnostics of the edited file as it is then. At the end of the first bursts, as many as --checks says, it waits until the
whole project has been checked again, and compares what that says of the file with the last answer.

Without --pause each keystroke follows the answer to the one before it, and no check of all has begun. With more than 0.2 s
between them one runs beside each keystroke, and is broken off by it.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import time

TYPED = ["    if dist.get_rank() == 0:\n        dist.barrier()\n", "    x = model(batch) + 1  # once more\n",
         "    torch.distributed.all_reduce(x)\n", "    for i in range(3):\n        print(i)\n"]


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while (message := self.read()).get("id") != self.last or "method" in message:
            pass
        return message.get("result")


class Editor:
    """One open file."""

    def __init__(self, server, path):
        self.server, self.document, self.version = server, {"uri": path.as_uri()}, 1
        text = path.read_text()
        self.lines = text.split("\n")
        server.notify("textDocument/didOpen", {"textDocument": {**self.document, "languageId": "python", "version": 1, "text": text}})

    def ends(self):
        """Lines behind which a statement of a function may stand: the first ones of their bodies."""
        return [n for n, line in enumerate(self.lines) if re.match(r"def .*:$", line)] or [0]

    def type(self, line, character, text):
        at = {"line": line, "character": character}
        self.version += 1
        self.server.notify("textDocument/didChange", {"textDocument": {**self.document, "version": self.version},
                                                      "contentChanges": [{"range": {"start": at, "end": at}, "text": text}]})
        head = self.lines[line].encode()
        self.lines[line:line + 1] = (head[:character] + text.encode() + head[character:]).decode().split("\n")

    def diagnostics(self):
        return [(d["code"], d["range"]["start"]["line"]) for d in self.server.request("textDocument/diagnostic", {"textDocument": self.document})["items"]]


def percentile(times, part):
    return 1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else 0.0


def files_of(folder, count):
    wanted = [p for p in sorted(folder.rglob("*.py")) if re.search(r"all_reduce|barrier|broadcast|all_gather", p.read_text(errors="replace"))]
    return sorted(random.Random(7).sample(wanted, min(count, len(wanted))))


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("program")
    asked.add_argument("folder", type=pathlib.Path)
    asked.add_argument("--files", type=int, default=10)
    asked.add_argument("--bursts", type=int, default=2)
    asked.add_argument("--checks", type=int, default=5)
    asked.add_argument("--pause", type=float, default=0, metavar="SECONDS")
    asked.add_argument("file", nargs="*")
    asked = asked.parse_intermixed_args()
    folder = asked.folder.resolve()
    files = [folder / f for f in asked.file] or files_of(folder, asked.files)
    server = Server(asked.program)
    start = time.monotonic()
    server.request("initialize", {"rootUri": folder.as_uri(), "capabilities": {
        "general": {"positionEncodings": ["utf-8"]}, "textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}})
    server.notify("initialized", {})
    server.request("ranklint/settle", None)
    print(f"first check of {sum(1 for _ in folder.rglob('*.py'))} files: {time.monotonic() - start:.1f} s")
    chosen = random.Random(1)
    answers, checks, same = [], [], 0
    for path in files:
        editor = Editor(server, path)
        of_file = []
        for _ in range(asked.bursts):
            line, column = min(chosen.choice(editor.ends()) + 1, len(editor.lines) - 1), 0
            editor.type(line, 0, "\n")  # a line of its own
            for letter in chosen.choice(TYPED).rstrip("\n"):
                time.sleep(asked.pause)
                sent = time.monotonic()
                editor.type(line, column, letter)
                told = editor.diagnostics()
                of_file.append(time.monotonic() - sent)
                line, column = (line + 1, 0) if letter == "\n" else (line, column + 1)
            if len(checks) == asked.checks:
                continue
            server.request("ranklint/settle", None)
            checks.append(time.monotonic() - sent)
            same += told == editor.diagnostics()
        answers += of_file
        print(f"  {percentile(of_file, 0.5):7.1f} {percentile(of_file, 0.95):7.1f} ms  {len(editor.lines):5} lines  {path.relative_to(folder)}", flush=True)
        server.notify("textDocument/didClose", {"textDocument": editor.document})
    for name, times in (("diagnostics of the edited file", answers), ("check of all files", checks)):
        print(f"{name}: median {percentile(times, 0.5):.1f} ms, 95 of 100 within {percentile(times, 0.95):.1f} ms, most {percentile(times, 1):.1f} ms ({len(times)} times)")
    print(f"the edited file's were those of the check that followed in {same} of {len(checks)} bursts")
    server.request("shutdown", None)
    server.notify("exit", None)


if __name__ == "__main__":
    main()
