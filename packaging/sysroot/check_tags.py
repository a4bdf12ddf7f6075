"""check_tags.py WHEEL...: each wheel runs wherever its name says it does, as auditwheel judges the symbols that it asks for."""

import json
import re
import subprocess
import sys
from pathlib import Path


def platform_of(text):
    """The glibc and the machine of the first manylinux tag in the text."""
    major, minor, machine = re.search(r"manylinux_(\d+)_(\d+)_(x86_64|aarch64)", text).groups()
    return (int(major), int(minor)), machine


def check(wheel):
    command = [sys.executable, "-m", "auditwheel", "show", "--json", str(wheel)]
    said = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
    judged = json.loads(said[said.index("{"):])
    named, needed = platform_of(wheel.name), platform_of(judged["overall_tag"])
    if needed[1] != named[1] or needed[0] > named[0] or judged["external_libs"]:
        raise SystemExit(f"{wheel.name}: auditwheel calls it {judged['overall_tag']}, with {judged['external_libs'] or 'no'} libraries")
    print(f"{wheel.name}: auditwheel calls it {judged['overall_tag']}")


for path in map(Path, sys.argv[1:]):
    check(path)
