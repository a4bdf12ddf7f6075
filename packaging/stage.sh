#!/usr/bin/env bash
# stage.sh BUILD STAGE SYSROOT PROGRAM: the tree that packages for one machine are made of, from a build with the preset
# `package`. PROGRAM is a ranklint that runs here: the one that was built, or the same for this machine.
#
#     bin/ranklint
#     lib/ranklint/ranklint_cpp.so, clang/include/   what the program loads for C and C++
#     share/                                         manual page, completions, and the licences of what is linked in
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$1 stage=$2 sysroot=$3 program=$4

rm -rf "$stage"
cmake --install "$build" --strip --prefix "$stage" >/dev/null
doc=$stage/share/doc/ranklint
mkdir -p "$doc"
cp "$root/LICENSE" "$doc/LICENSE"

# What is linked in, and whose terms ask to go with it.
heading() { printf '\n==== %s ====\n\n' "$1"; }
{
  echo "ranklint contains the following works; each comes under its own terms."
  for name in tree-sitter tree-sitter-python; do
    heading "$name"
    cat "$root/node_modules/$name/LICENSE"
  done
  for package in libclang-19-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libyaml-cpp-dev libxxhash-dev libjemalloc-dev zlib1g-dev libzstd-dev; do
    heading "$package (as Debian tells it)"
    cat "$sysroot/usr/share/doc/$package/copyright"
  done
} >"$doc/THIRD-PARTY"

# The manual page and what shells complete, as the program itself tells them.
share=$stage/share
mkdir -p "$share"/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
"$program" man | gzip -9n >"$share/man/man1/ranklint.1.gz"
"$program" completions bash >"$share/bash-completion/completions/ranklint"
"$program" completions zsh >"$share/zsh/site-functions/_ranklint"
"$program" completions fish >"$share/fish/vendor_completions.d/ranklint.fish"
