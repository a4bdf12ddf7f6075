#!/usr/bin/env bash
# smoke.sh DIST: installs each package of the folder where nothing else is, and lets it find a bug in Python and in C.
#
# What a package needs is shown by a root folder that holds the C library and nothing else: no Clang, no libstdc++, no
# Python, no shell. Entering it takes root; who is not has the programs run where they were installed. Where RANKLINT_DEBIAN
# names the root folder of a Debian, the Debian package is installed in it by dpkg, tried and removed, too.
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

# bare TREE: a root with the C library, and TREE at /opt.
bare() {
  local top=$scratch/bare library
  rm -rf "$top"
  mkdir -p "$top/proc" "$top/try" "$top/opt"
  for library in $(ldd /bin/true | grep -oE '/[^ ]*(ld-linux|libc\.so)[^ ]*') "$(ldconfig -p | grep -oE '/[^ ]*/libm\.so\.6' | head -n1)"; do
    mkdir -p "$top${library%/*}"
    cp -L "$library" "$top$library"
  done
  cp "$scratch/train.py" "$scratch/ring.c" "$top/try/"
  cp -r "$1/." "$top/opt/"
  echo "$top"
}

# finds NAME TREE: TREE/bin/ranklint says the version, and finds what is wrong in each language.
finds() {
  local run=("$2/bin/ranklint") at=$scratch top=""
  if [ "$(id -u)" -eq 0 ]; then
    top=$(bare "$2")
    mount --bind /proc "$top/proc" 2>/dev/null || fail "$1: /proc can not be shown in the bare root"
    run=(chroot "$top" /opt/bin/ranklint) at=/try
  fi
  local version python c
  version=$("${run[@]}" --version) || version="it does not start"
  python=$("${run[@]}" check --isolated --output-format concise "$at/train.py" || true)
  c=$("${run[@]}" check --isolated --output-format concise --min-severity info "$at/ring.c" || true)
  if [ -n "$top" ]; then umount "$top/proc"; fi
  [[ $python == *RL101* ]] || fail "$1: no finding in Python: $version: $python"
  [[ $c == *error\ RL* && $c != *partial-parse* ]] || fail "$1: no finding in C, or what was read is not whole: $c"
  printf '%-44s %6s MB, installed %5s MB: %s\n' "$1" "$(megabytes "$dist/$1")" "$(megabytes "$2")" "$version"
}

megabytes() { du -sb "$1" | awk '{ printf "%.1f", $1 / 1000000 }'; }

# brings NAME FILE...: each is there, and not empty.
brings() {
  local name=$1 file
  shift
  for file; do [ -s "$file" ] || fail "$name: it does not bring ${file#"$scratch"/}"; done
}

wheel() {
  python3 -m venv "$scratch/venv"
  "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$dist/$1"
  brings "$1" "$scratch/venv/share/man/man1/ranklint.1.gz" "$scratch/venv/share/bash-completion/completions/ranklint"
  mkdir -p "$scratch/of-wheel/lib"
  cp -r "$scratch/venv/bin" "$scratch/of-wheel/bin"
  find "$scratch/of-wheel/bin" ! -name ranklint -not -type d -delete
  cp -r "$scratch/venv/lib/ranklint" "$scratch/of-wheel/lib/"
  finds "$1" "$scratch/of-wheel"
}

npm_package() {
  mkdir "$scratch/node"
  (cd "$scratch/node" && npm install --silent --no-audit --no-fund --offline "$dist/$1")
  [ -x "$scratch/node/node_modules/.bin/ranklint" ] || fail "$1: npm made no command of it"
  brings "$1" "$scratch/node/node_modules/ranklint/"{man/ranklint.1.gz,completions/ranklint.bash}
  finds "$1" "$scratch/node/node_modules/ranklint"
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
  dpkg-deb -x "$dist/$1" "$scratch/deb"
  brings "$1" "$scratch/deb/usr/share/"{man/man1/ranklint.1.gz,bash-completion/completions/ranklint}
  finds "$1" "$scratch/deb/usr"
  on_debian "$1"
}

count=0
for package in "$dist"/*; do
  name=${package##*/}
  case $name in
    *.whl) wheel "$name" ;;
    *.tgz) npm_package "$name" ;;
    *.deb) deb "$name" ;;
    *) continue ;;
  esac
  count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "$dist holds no package"
