#!/usr/bin/env bash
# smoke.sh DIST: unpacks each package of the folder where nothing else is, and lets it find a bug in Python and in C.
#
# What a package needs is shown by a root folder that holds a C library and nothing else: no Clang, no libstdc++, no Python,
# no shell. RANKLINT_LIBC names a folder with an older one for each machine (x86_64/, aarch64/); without it, this machine's
# is taken. Entering the root takes root; otherwise the programs run where they were unpacked. A program for another machine
# is emulated by QEMU. Packages for this machine are installed by pip and npm, and where RANKLINT_DEBIAN names the root
# folder of a Debian, by dpkg.
set -euo pipefail
dist=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { printf 'smoke.sh: %s\n' "$*" >&2; exit 1; }

cat >"$scratch/train.py" <<'PYTHON'
import torch.distributed as dist


def step(loss):
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
PYTHON
cat >"$scratch/ring.c" <<'C'
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
C

# c_library MACHINE TOP: the C library and its loader, in TOP.
c_library() {
  local library from=${RANKLINT_LIBC:-}
  if [ -n "$from" ]; then
    cp -r "$from/$1/." "$2/"
    return
  fi
  [ "$1" = "$(uname -m)" ] || fail "RANKLINT_LIBC names no C library for $1"
  for library in $(ldd /bin/true | grep -oE '/[^ ]*(ld-linux|libc\.so)[^ ]*') "$(ldconfig -p | grep -oE '/[^ ]*/libm\.so\.6' | head -n1)"; do
    mkdir -p "$2${library%/*}"
    cp -L "$library" "$2$library"
  done
}

# bare MACHINE TREE: a root with the C library, what emulates the machine where that takes it, and TREE at /opt.
bare() {
  local top=$scratch/bare
  rm -rf "$top"
  mkdir -p "$top/proc" "$top/try" "$top/opt"
  c_library "$1" "$top"
  if [ "$1" != "$(uname -m)" ]; then cp "$(command -v "qemu-$1-static")" "$top/emulate"; fi
  cp "$scratch/train.py" "$scratch/ring.c" "$top/try/"
  cp -r "$2/." "$top/opt/"
  echo "$top"
}

# finds NAME MACHINE TREE: TREE/bin/ranklint says the version, and finds what is wrong in each language.
finds() {
  local top at=/try run=(/opt/bin/ranklint) emulated=()
  top=$(bare "$2" "$3")
  if [ "$2" != "$(uname -m)" ]; then emulated=(/emulate); fi
  if [ "$(id -u)" -eq 0 ]; then
    mount --bind /proc "$top/proc" 2>/dev/null || fail "$1: /proc can not be shown in the bare root"
    run=(chroot "$top" "${emulated[@]}" "${run[@]}")
  else
    at=$scratch run=("$3/bin/ranklint")
    if [ ${#emulated[@]} -gt 0 ]; then run=("$top/emulate" -L "$top" "${run[@]}"); fi
  fi
  local version python c
  version=$("${run[@]}" --version) || version="it does not start"
  python=$("${run[@]}" check --isolated --output-format concise "$at/train.py" || true)
  c=$("${run[@]}" check --isolated --output-format concise --min-severity info "$at/ring.c" || true)
  if mountpoint -q "$top/proc"; then umount "$top/proc"; fi
  [[ $python == *RL101* ]] || fail "$1: no finding in Python: $version: $python"
  [[ $c == *error\ RL* && $c != *partial-parse* ]] || fail "$1: no finding in C, or what was read is not whole: $c"
  printf '%-50s %6s MB, installed %5s MB: %s%s\n' "$1" "$(megabytes "$dist/$1")" "$(megabytes "$3")" "$version" "${emulated[*]:+ (emulated)}"
}

megabytes() { du -sb "$1" | awk '{ printf "%.1f", $1 / 1000000 }'; }

# brings NAME FILE...: each is there, and not empty.
brings() {
  local name=$1 file
  shift
  for file; do [ -s "$file" ] || fail "$name: it does not bring ${file#"$scratch"/}"; done
}

# A wheel for this machine is installed by pip; another's is unpacked as pip would.
wheel() {
  local name=$1 machine=$2 into=$scratch/wheel-$2 unpacked
  if [ "$machine" = "$(uname -m)" ]; then
    python3 -m venv "$scratch/venv"
    "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$dist/$name"
    unpacked=$scratch/venv
  else
    python3 -m zipfile -e "$dist/$name" "$scratch/zip"
    unpacked=$(echo "$scratch"/zip/*.data/data)
    mv "$unpacked/../scripts" "$unpacked/bin"
    chmod +x "$unpacked/bin/ranklint"
  fi
  brings "$name" "$unpacked/share/man/man1/ranklint.1.gz" "$unpacked/share/bash-completion/completions/ranklint"
  mkdir -p "$into/bin" "$into/lib"
  cp "$unpacked/bin/ranklint" "$into/bin/"
  cp -r "$unpacked/lib/ranklint" "$into/lib/"
  finds "$name" "$machine" "$into"
}

npm_package() {
  local name=$1 machine=$2 into=$scratch/node-$2/node_modules/ranklint
  mkdir -p "$into"
  if [ "$machine" = "$(uname -m)" ]; then
    (cd "$scratch/node-$machine" && npm install --silent --no-audit --no-fund --offline "$dist/$name")
    [ -x "$into/../.bin/ranklint" ] || fail "$name: npm made no command of it"
  else
    tar -xzf "$dist/$name" -C "$into" --strip-components 1
  fi
  brings "$name" "$into/"{man/ranklint.1.gz,completions/ranklint.bash}
  finds "$name" "$machine" "$into"
}

# on_debian NAME: installed as a user would, and nothing left behind.
on_debian() {
  local top=${RANKLINT_DEBIAN:-} said
  if [ -z "$top" ] || [ "$(id -u)" -ne 0 ]; then return 0; fi
  mkdir -p "$top/tmp/ranklint"
  cp "$dist/$1" "$scratch/train.py" "$scratch/ring.c" "$top/tmp/ranklint/"
  mount --bind /proc "$top/proc" || fail "$1: /proc can not be shown in $top"
  said=$(chroot "$top" sh -c "cd /tmp/ranklint && dpkg -i '$1' >/dev/null && { ranklint check --isolated --output-format concise
    dpkg --purge ranklint >/dev/null; ls /usr/bin/ranklint 2>/dev/null; cat /etc/debian_version; }" 2>&1) || true
  umount "$top/proc"
  rm -r "$top/tmp/ranklint"
  [[ $said == *train.py*RL101* && $said == *"2 errors"* ]] || fail "$1: on a bare Debian: $said"
  [[ $said != */ranklint* ]] || fail "$1: removed, it leaves the program behind: $said"
  echo "$1 is installed and removed by dpkg on Debian ${said##*$'\n'}"
}

deb() {
  local into=$scratch/deb-$2
  dpkg-deb -x "$dist/$1" "$into"
  brings "$1" "$into/usr/share/"{man/man1/ranklint.1.gz,bash-completion/completions/ranklint}
  finds "$1" "$2" "$into/usr"
  if [ "$2" = "$(uname -m)" ]; then on_debian "$1"; fi
}

count=0
for package in "$dist"/*; do
  name=${package##*/}
  case $name in
    *x86_64.whl | *x64.tgz | *amd64.deb) machine=x86_64 ;;
    *aarch64.whl | *arm64.tgz | *arm64.deb) machine=aarch64 ;;
    *) continue ;;
  esac
  case $name in
    *.whl) wheel "$name" $machine ;;
    *.tgz) npm_package "$name" $machine ;;
    *.deb) deb "$name" $machine ;;
  esac
  count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "$dist holds no package"
