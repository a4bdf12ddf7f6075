#!/usr/bin/env bash
# bring.sh MACHINE FOLDER PYTHON: what packages for MACHINE (x86_64, aarch64) are compiled and linked with, on any machine.
#
# Debian 12's headers and static libraries, on glibc 2.28: what `-lc` finds there is a library without code that has the
# symbols of that version, as Zig writes it for its own linker. So nothing that came later can be linked in unseen; the little
# that the static libraries ask of it is in later.c. PYTHON has the package `ziglang`.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
machine=$1 python=$3
glibc=2.28

rm -rf "$2"
mkdir -p "$2"
top=$(cd "$2" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# CMake's files for Clang and LLVM name programs, too, and want to see them; none of them is run.
stand_in_for_programs() {
  local llvm=$top/usr/lib/llvm-19 file
  grep -ohE '_IMPORT_PREFIX}/[^" ]*' "$llvm"/lib/cmake/{llvm/LLVMExports,clang/ClangTargets}-*.cmake | sort -u | while read -r file; do
    file=$llvm/${file#*\}/}
    if [ ! -e "$file" ]; then mkdir -p "${file%/*}" && rm -f "$file" && touch "$file"; fi
  done
}

# What Zig would link: the last line that it prints is the command of its linker.
bring_glibc() {
  local libraries=$top/usr/lib/$machine-linux-gnu at=/usr/lib/$machine-linux-gnu/glibc file name
  echo 'int main(void) { return 0; }' >"$scratch/empty.c"
  ZIG_GLOBAL_CACHE_DIR=$scratch/zig ZIG_LOCAL_CACHE_DIR=$scratch/zig "$python" -m ziglang build-exe -lc --verbose-link \
    -target "$machine-linux-gnu.$glibc" "-femit-bin=$scratch/empty" "$scratch/empty.c" 2>"$scratch/link" ||
    { cat "$scratch/link" >&2; return 1; }
  rm -f "$libraries"/lib{c,m,pthread,dl,rt,util}.{a,so} "$libraries"/{crt1,Scrt1,crti,crtn}.o
  mkdir "$libraries/glibc"
  for file in $(tail -n1 "$scratch/link" | grep -oE '/[^ ]*/(S?crt[1in]\.o|libc_nonshared\.a|lib(c|m|pthread|dl|rt|util|ld)\.so\.[0-9])'); do
    cp "$file" "$libraries/glibc/"
  done
  cp "$libraries"/glibc/*.o "$libraries/"
  cp "$libraries/glibc/Scrt1.o" "$libraries/crt1.o"
  for file in "$libraries"/glibc/lib{m,pthread,dl,rt,util}.so.*; do
    name=${file##*/}
    ln -s "glibc/$name" "$libraries/${name%.so.*}.so"
  done
  clang-19 "--target=$machine-linux-gnu" "--sysroot=$top" -O2 -fPIC -Wall -Wextra -ffunction-sections -c "$here/later.c" \
    -o "$libraries/glibc/later.o"
  # As since glibc 2.34, one library has it all.
  echo "GROUP($at/libc.so.6 $at/libc_nonshared.a $at/later.o" \
    "AS_NEEDED($at/libpthread.so.0 $at/libdl.so.2 $at/librt.so.1 $at/libld.so.2))" >"$libraries/libc.so"
}

"$here/packages.sh" these "$machine" bookworm "$top" libc6-dev linux-libc-dev libcrypt-dev libstdc++-12-dev libgcc-12-dev \
  clang-19 libclang-19-dev libclang-common-19-dev llvm-19-dev zlib1g-dev libzstd-dev libyaml-cpp-dev nlohmann-json3-dev \
  libcli11-dev libtomlplusplus-dev libxxhash-dev libjemalloc-dev
stand_in_for_programs
bring_glibc
