#!/usr/bin/env bash
# stage.sh BUILD STAGE: the tree that every package is made of, from a build with the preset `package`.
#
#     bin/ranklint
#     lib/ranklint/ranklint_cpp.so, clang/include/   what the program loads for C and C++
#     share/doc/ranklint/                            licences, our own and those of what is linked in
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$1 stage=$2

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
  for package in libclang-19-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev zlib1g-dev libzstd-dev; do
    heading "$package (as Debian tells it)"
    cat "/usr/share/doc/$package/copyright"
  done
} >"$doc/THIRD-PARTY"

# The man page and what shells complete, as the program itself tells them.
if "$stage/bin/ranklint" man >"$doc/ranklint.1" 2>/dev/null; then
  mkdir -p "$stage/share/man/man1"
  gzip -9n <"$doc/ranklint.1" >"$stage/share/man/man1/ranklint.1.gz"
fi
rm -f "$doc/ranklint.1"
complete_for() {
  local file=$stage/share/$2
  mkdir -p "${file%/*}"
  "$stage/bin/ranklint" completions "$1" >"$file" 2>/dev/null || rm -r "${file%/*}"
}
complete_for bash bash-completion/completions/ranklint
complete_for zsh zsh/site-functions/_ranklint
complete_for fish fish/vendor_completions.d/ranklint.fish
find "$stage/share" -type d -empty -delete
