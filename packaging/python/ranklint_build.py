"""What pip calls to install ranklint from its source (PEP 517): `pip install .`, and pre-commit's `language: python`.

It needs nothing that is not Python's own, so no index is asked. RANKLINT_WHEEL names a wheel that is taken as it is;
else ranklint is built here, which takes a compiler and some minutes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import ranklint_wheel  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("cmake", "ninja", "clang++-19", "ld.lld-19", "npm")


def take_wheel(wheel: Path, into: Path) -> str:
    if not wheel.is_file():
        raise SystemExit(f"RANKLINT_WHEEL names {wheel}, which is not a file")
    shutil.copyfile(wheel, into / wheel.name)
    return wheel.name


def build_from_source() -> Path:
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing:
        raise SystemExit(
            f"ranklint can not be built from source here: no {', '.join(missing)}. Set RANKLINT_WHEEL to a wheel that "
            "was built before (`./dev release` builds one), or install ranklint and use the hooks called `system`."
        )
    stage = ROOT / "build-package" / "stage"
    subprocess.run([ROOT / "dev", "stage", stage], check=True, stdout=sys.stderr)
    return stage


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    into = Path(wheel_directory)
    if wheel := os.environ.get("RANKLINT_WHEEL"):
        return take_wheel(Path(wheel), into)
    return ranklint_wheel.write_wheel(build_from_source(), into, ROOT)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("ranklint is not packed as a source distribution; build the wheel (`pip wheel .`)")
