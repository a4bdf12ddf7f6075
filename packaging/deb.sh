#!/usr/bin/env bash
# deb.sh STAGE INTO VERSION MACHINE: a package for Debian 10, Ubuntu 20.04 and later. It asks for the C library alone.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
stage=$1 into=$2 version=$3
case $4 in
  x86_64) machine=amd64 ;;
  aarch64) machine=arm64 ;;
  *) echo "deb.sh: no name for $4 among Debian's machines" >&2; exit 1 ;;
esac
glibc=$(python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import ranklint_wheel, pathlib
print("%d.%d" % ranklint_wheel.newest_glibc(pathlib.Path(sys.argv[2])))' "$root/packaging/python" "$stage")

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"
mkdir -p "$tree/DEBIAN" "$tree/usr"
cp -r "$stage/." "$tree/usr/"
mv "$tree/usr/share/doc/ranklint/LICENSE" "$tree/usr/share/doc/ranklint/copyright"
cat >"$tree/DEBIAN/control" <<CONTROL
Package: ranklint
Version: $version
Architecture: $machine
Maintainer: the ranklint authors <ranklint@localhost>
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: libc6 (>= $glibc)
Section: devel
Priority: optional
Description: static analyser for distributed training code
 ranklint reads Python, C and C++ that trains on many ranks and says where
 they stop agreeing: which line, which group, which ranks, and what each of
 them does until one waits forever. It never runs what it reads.
CONTROL
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
mkdir -p "$into"
SOURCE_DATE_EPOCH=1577836800 dpkg-deb --root-owner-group -Zxz --build "$tree" "$into/ranklint_${version}_$machine.deb" >/dev/null
echo "ranklint_${version}_$machine.deb"
