"""check_tags.py WHEEL...: each wheel is named for glibc 2.28, and asks for nothing newer, as auditwheel judges its symbols."""

import json
import re
import subprocess
import sys
from pathlib import Path

GLIBC = (2, 28)  # what docs/install.md promises


def platform_of(text):
    """The glibc and the machine of the first manylinux tag in the text."""
    major, minor, machine = re.search(r"manylinux_(\d+)_(\d+)_(x86_64|aarch64)", text).groups()
    return (int(major), int(minor)), machine


def check(wheel):
    command = [sys.executable, "-m", "auditwheel", "show", "--json", str(wheel)]
    said = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
    judged = json.loads(said[said.index("{"):])
    named, needed = platform_of(wheel.name), platform_of(judged["overall_tag"])
    if named[0] != GLIBC:
        raise SystemExit(f"{wheel.name}: expected one for glibc {GLIBC[0]}.{GLIBC[1]}; it asks for a symbol that came later")
    if needed[1] != named[1] or needed[0] > named[0] or judged["external_libs"]:
        raise SystemExit(f"{wheel.name}: auditwheel calls it {judged['overall_tag']}, with {judged['external_libs'] or 'no'} libraries")
    print(f"{wheel.name}: auditwheel calls it {judged['overall_tag']}")


for path in map(Path, sys.argv[1:]):
    check(path)
