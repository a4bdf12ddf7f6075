"""A wheel of an installed tree: bin/ranklint, and lib/ranklint/ with what it loads.

A wheel is a zip file with three files about itself. Programs go to NAME.data/scripts/, which pip puts on PATH as they are,
so that ranklint starts without Python; NAME.data/data/ lands beside, and the program finds lib/ranklint/ from where it
lies. The same tree gives the same bytes: names are sorted and times are fixed.
"""

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

SUMMARY = "Finds where the ranks of distributed training code stop agreeing"


def version_of(root: Path) -> str:
    """The one that CMake compiles into the program."""
    found = re.search(r"project\(ranklint VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())
    if not found:
        raise SystemExit(f"{root / 'CMakeLists.txt'}: says no version")
    return found[1]


def newest_glibc(stage: Path) -> tuple[int, int]:
    """The newest version of a symbol that a program or a module of the tree asks the C library for."""
    newest = (2, 28)  # what packages are linked for; no older one was tried
    for path in [stage / "bin/ranklint", *sorted(stage.glob("lib/ranklint/*.so"))]:
        for major, minor in re.findall(rb"\0GLIBC_([0-9]+)\.([0-9]+)", path.read_bytes()):
            newest = max(newest, (int(major), int(minor)))
    return newest


MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of ELF


def machine_of(stage: Path) -> str:
    """Which processor the program is for, whichever one packs it."""
    head = (stage / "bin/ranklint").read_bytes()[:20]
    machine = int.from_bytes(head[18:20], "little")
    if head[:4] != b"\x7fELF" or machine not in MACHINES:
        raise SystemExit(f"{stage / 'bin/ranklint'}: expected a program for {' or '.join(MACHINES.values())}")
    return MACHINES[machine]


def platform_tag(stage: Path) -> str:
    major, minor = newest_glibc(stage)
    return f"manylinux_{major}_{minor}_{machine_of(stage)}"


def metadata_of(version: str, root: Path) -> str:
    about = root / "packaging" / "about.md"
    readme = about.read_text() if about.exists() else ""
    return (
        f"Metadata-Version: 2.1\nName: ranklint\nVersion: {version}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
        "Classifier: Environment :: Console\nClassifier: Topic :: Software Development :: Quality Assurance\n"
        f"Requires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n{readme}"
    )


def name_in_wheel(relative: Path, data: str) -> str:
    if relative.parts[0] == "bin":
        return f"{data}/scripts/{relative.name}"
    return f"{data}/data/{relative.as_posix()}"


class Wheel:
    def __init__(self, path: Path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.record = []

    def add(self, name: str, content: bytes, mode: int = 0o644) -> None:
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}\n")

    def close(self, info: str) -> None:
        name = f"{info}/RECORD"
        self.add(name, ("".join(self.record) + f"{name},,\n").encode())
        self.zip.close()


def write_wheel(stage: Path, into: Path, root: Path) -> str:
    """Packs the tree at `stage`; returns the wheel's file name in the folder `into`."""
    version = version_of(root)
    tag = f"py3-none-{platform_tag(stage)}"
    info = f"ranklint-{version}.dist-info"
    into.mkdir(parents=True, exist_ok=True)
    name = f"ranklint-{version}-{tag}.whl"
    wheel = Wheel(into / name)
    for path in sorted(p for p in stage.rglob("*") if p.is_file()):
        mode = 0o755 if path.parent.name == "bin" else 0o644
        wheel.add(name_in_wheel(path.relative_to(stage), f"ranklint-{version}.data"), path.read_bytes(), mode)
    wheel.add(f"{info}/METADATA", metadata_of(version, root).encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: ranklint\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.close(info)
    return name


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: ranklint_wheel.py STAGE INTO")
    print(write_wheel(Path(sys.argv[1]), Path(sys.argv[2]), Path(__file__).resolve().parents[2]))
