#!/usr/bin/env bash
# try.sh MACHINE SYSROOT LIBC: a program that is linked with the sysroot runs on the C library in the folder LIBC, and asks for
# nothing that came after glibc 2.28. Another machine's is emulated.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
machine=$1 sysroot=$2 libc=$3
program=$(mktemp)
trap 'rm -f "$program"' EXIT

clang++-19 "--target=$machine-linux-gnu" "--sysroot=$sysroot" -fuse-ld=lld-19 -std=c++20 -O2 -static-libstdc++ -static-libgcc \
  -Wl,--gc-sections "$here/try.cpp" -o "$program"
newest=$(grep -aoE 'GLIBC_[0-9]+\.[0-9]+' "$program" | sort -uV | tail -n1)
[ "$(printf '%s\n' "$newest" GLIBC_2.28 | sort -V | tail -n1)" = GLIBC_2.28 ] || { echo "try.sh: $machine: asks for $newest" >&2; exit 1; }
if [ "$machine" = "$(uname -m)" ]; then
  run=("$(echo "$libc/lib/$machine-linux-gnu"/ld-linux-*.so.[12])" --library-path "$libc/lib/$machine-linux-gnu" "$program")
else
  run=("qemu-$machine-static" -L "$libc" "$program")
fi
[ "$("${run[@]}")" = ok ] || { echo "try.sh: $machine: a program that is linked with the sysroot does not run right" >&2; exit 1; }
