#!/usr/bin/env python3
"""How long the language server takes to answer while somebody types: bench/keystrokes.py RANKLINT FOLDER FILE [COUNT]

Opens FILE of the workspace FOLDER, types COUNT letters into comments and code at places that follow from a seed, and
measures after each keystroke: how long a question about the text just typed waits (the server answers in order), and at
the end of each burst of ten how long it takes until the whole project has been checked again.
"""
import json
import pathlib
import random
import subprocess
import sys
import time


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
        return message


def percentile(times, part):
    return 1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))]


def main():
    program, folder, file = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 200
    path = folder / file
    document = {"uri": path.as_uri()}
    server = Server(program)
    start = time.monotonic()
    server.request("initialize", {"rootUri": folder.as_uri(), "capabilities": {"general": {"positionEncodings": ["utf-8"]}}})
    server.notify("initialized", {})
    lines = path.read_text().split("\n")
    server.notify("textDocument/didOpen", {"textDocument": {**document, "languageId": "python", "version": 1, "text": "\n".join(lines)}})
    server.request("ranklint/settle", None)
    print(f"first check       {time.monotonic() - start:8.1f} s")
    chosen = random.Random(1)
    answers, checks = [], []
    for number in range(count):
        line = chosen.randrange(len(lines))
        at = {"line": line, "character": len(lines[line].encode())}
        typed = chosen.choice("abc xyz_")
        lines[line] += typed
        sent = time.monotonic()
        server.notify("textDocument/didChange", {"textDocument": {**document, "version": number + 2},
                                                 "contentChanges": [{"range": {"start": at, "end": at}, "text": typed}]})
        server.request("textDocument/hover", {"textDocument": document, "position": at})
        answers.append(time.monotonic() - sent)
        if number % 10 == 9:
            server.request("ranklint/settle", None)
            checks.append(time.monotonic() - sent)
    print(f"answer, median    {percentile(answers, 0.5):8.1f} ms\nanswer, 95 of 100 {percentile(answers, 0.95):8.1f} ms")
    print(f"check, median     {percentile(checks, 0.5):8.1f} ms\ncheck, 95 of 100  {percentile(checks, 0.95):8.1f} ms")
    server.request("shutdown", None)
    server.notify("exit", None)


if __name__ == "__main__":
    main()
