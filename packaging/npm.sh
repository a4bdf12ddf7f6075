#!/usr/bin/env bash
# npm.sh STAGE INTO VERSION MACHINE: a package for npm. Its `bin` is the program itself, so it starts without Node, and no script
# runs when it is installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
stage=$1 into=$(mkdir -p "$2" && cd "$2" && pwd) version=$3
case $4 in
  x86_64) cpu=x64 ;;
  aarch64) cpu=arm64 ;;
  *) echo "npm.sh: no name for $4 among npm's processors" >&2; exit 1 ;;
esac

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/man" "$tree/completions"
cp -r "$stage/bin" "$stage/lib" "$tree/"
cp "$stage/share/man/man1/ranklint.1.gz" "$tree/man/"
cp "$stage/share/bash-completion/completions/ranklint" "$tree/completions/ranklint.bash"
cp "$stage/share/zsh/site-functions/_ranklint" "$stage/share/fish/vendor_completions.d/ranklint.fish" "$tree/completions/"
cp "$stage/share/doc/ranklint/"* "$tree/"
cp "$root/packaging/about.md" "$tree/README.md"
cat >"$tree/package.json" <<PACKAGE
{
  "name": "ranklint",
  "version": "$version",
  "description": "Finds where the ranks of distributed training code stop agreeing",
  "license": "Apache-2.0",
  "bin": { "ranklint": "bin/ranklint" },
  "man": ["man/ranklint.1.gz"],
  "files": ["bin", "lib", "man", "completions", "LICENSE", "THIRD-PARTY", "README.md"],
  "os": ["linux"],
  "cpu": ["$cpu"],
  "libc": ["glibc"]
}
PACKAGE
cd "$tree"
mv "$into/$(npm pack --silent --pack-destination "$into")" "$into/ranklint-$version-linux-$cpu.tgz"
