#!/usr/bin/env bash
# smoke.sh DIST ROOTS: tries each package of the folder DIST where nothing else is, on a bug in Python and one in C.
#
# ROOTS holds the root folders that `./dev release` makes. Each package runs in one that has a C library and nothing
# else: no Clang, no libstdc++, no Python, no shell (libc/MACHINE). Wheels are installed by the pip of Debian 11
# (pip/MACHINE), the Debian package for this machine by dpkg on a bare Debian 12 (debian), and the npm package for this
# machine by npm. What is for another machine is emulated by QEMU. Root folders are entered, which takes root; each is a
# copy.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dist=$(cd "$1" && pwd) roots=$(cd "$2" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT

fail() { printf 'smoke.sh: %s\n' "$*" >&2; exit 1; }

megabytes() { du -sb "$1" | awk '{ printf "%.1f", $1 / 1000000 }'; }

is_foreign() { [ "$1" != "$(uname -m)" ]; }

# copy_root ROOT MACHINE TOP: a copy to enter, with the samples in /try and, where it takes that, an emulator.
copy_root() {
  cp -a "$roots/$1" "$3"
  mkdir -p "$3/proc" "$3/dev" "$3/try"
  cp "$here"/samples/* "$3/try/"
  if is_foreign "$2"; then cp "$(command -v "qemu-$2-static")" "$3/emulate"; fi
}

# enter MACHINE TOP COMMAND...: /proc and /dev are there for this command alone.
enter() {
  local machine=$1 top=$2 emulated=()
  shift 2
  if is_foreign "$machine"; then emulated=(/emulate); fi
  # shellcheck disable=SC2016
  env -i HOME=/ LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin unshare --mount bash -euc '
    mount --rbind /proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec chroot "$@"' enter "$top" "${emulated[@]}" "$@"
}

# expect_absent NAME FOLDER: the package was removed from below the prefix FOLDER.
expect_absent() {
  [ ! -e "$2/bin/ranklint" ] && [ ! -e "$2/lib/ranklint" ] || fail "$1: removed, it leaves files behind"
}

# expect_findings NAME MACHINE TOP PROGRAM: in the root folder, PROGRAM finds what is wrong in each language.
expect_findings() {
  local name=$1 machine=$2 top=$3 program=$4 check=(check --isolated --output-format concise) python c
  python=$(enter "$machine" "$top" "$program" "${check[@]}" /try/train.py 2>&1) || true
  c=$(enter "$machine" "$top" "$program" "${check[@]}" --min-severity info /try/ring.c 2>&1) || true
  [[ $python == *RL101* ]] || fail "$name: no finding in Python: $python"
  [[ $c == *error\ RL* && $c != *partial-parse* ]] || fail "$name: no finding in C, or what was read is not whole: $c"
}

# try_alone NAME MACHINE TREE: TREE/bin/ranklint, where only the C library is.
try_alone() {
  local name=$1 machine=$2 tree=$3 top=$scratch/alone version how=""
  rm -rf "$top"
  copy_root "libc/$machine" "$machine" "$top"
  mkdir "$top/opt"
  cp -r "$tree/." "$top/opt/"
  version=$(enter "$machine" "$top" /opt/bin/ranklint --version 2>&1) || fail "$name: it does not start: $version"
  expect_findings "$name" "$machine" "$top" /opt/bin/ranklint
  if is_foreign "$machine"; then how=" (emulated)"; fi
  printf '%-50s %6s MB, installed %5s MB: %s%s\n' \
    "$name" "$(megabytes "$dist/$name")" "$(megabytes "$tree")" "$version" "$how"
}

# expect_files NAME FILE...: the package brought each of them, and none is empty.
expect_files() {
  local name=$1 file
  shift
  for file; do [ -s "$file" ] || fail "$name: it does not bring ${file#"$scratch"/}"; done
}

# pip starts no other program for this, so one emulated process does it.
try_wheel() {
  local name=$1 machine=$2 top=$scratch/pip-$2 into=$scratch/wheel-$2
  copy_root "pip/$machine" "$machine" "$top"
  cp "$dist/$name" "$top/try/"
  enter "$machine" "$top" /usr/bin/python3 -m venv --without-pip --system-site-packages /venv
  enter "$machine" "$top" /venv/bin/python3 -m pip install --quiet --no-index "/try/$name" ||
    fail "$name: pip does not install it"
  expect_files "$name" "$top/venv/share/man/man1/ranklint.1.gz" "$top/venv/share/bash-completion/completions/ranklint"
  expect_findings "$name" "$machine" "$top" /venv/bin/ranklint
  mkdir -p "$into/lib"
  cp -r "$top/venv/lib/ranklint" "$into/lib/"
  install -D "$top/venv/bin/ranklint" "$into/bin/ranklint"
  enter "$machine" "$top" /venv/bin/python3 -m pip uninstall --quiet --yes ranklint
  expect_absent "$name" "$top/venv"
  try_alone "$name" "$machine" "$into"
}

try_npm_package() {
  local name=$1 machine=$2 into=$scratch/node-$2/node_modules/ranklint
  mkdir -p "$into"
  if is_foreign "$machine"; then
    tar -xzf "$dist/$name" -C "$into" --strip-components 1
  else
    (cd "$scratch/node-$machine" && npm install --silent --no-audit --no-fund --offline "$dist/$name")
    [ -x "$into/../.bin/ranklint" ] || fail "$name: npm made no command of it"
  fi
  expect_files "$name" "$into/"{man/ranklint.1.gz,completions/ranklint.bash}
  try_alone "$name" "$machine" "$into"
}

# try_on_debian NAME: installed and removed as a user would.
try_on_debian() {
  local name=$1 machine top=$scratch/debian
  machine=$(uname -m)
  copy_root debian "$machine" "$top"
  cp "$dist/$name" "$top/try/"
  enter "$machine" "$top" dpkg -i "/try/$name" >"$scratch/said" 2>&1 ||
    fail "$name: dpkg does not install it: $(cat "$scratch/said")"
  expect_findings "$name" "$machine" "$top" ranklint
  enter "$machine" "$top" dpkg --purge ranklint >"$scratch/said" 2>&1 ||
    fail "$name: dpkg does not remove it: $(cat "$scratch/said")"
  expect_absent "$name" "$top/usr"
  echo "$name is installed and removed by dpkg on Debian $(cat "$top/etc/debian_version")"
}

try_deb() {
  local name=$1 machine=$2 into=$scratch/deb-$2
  dpkg-deb -x "$dist/$name" "$into"
  expect_files "$name" "$into/usr/share/"{man/man1/ranklint.1.gz,bash-completion/completions/ranklint}
  try_alone "$name" "$machine" "$into/usr"
  is_foreign "$machine" || try_on_debian "$name"
}

[ "$(id -u)" -eq 0 ] || fail "root folders are entered, which takes root"
count=0
for package in "$dist"/*; do
  name=${package##*/}
  case $name in
    *x86_64.whl | *x64.tgz | *amd64.deb) machine=x86_64 ;;
    *aarch64.whl | *arm64.tgz | *arm64.deb) machine=aarch64 ;;
    *) continue ;;
  esac
  case $name in
    *.whl) try_wheel "$name" $machine ;;
    *.tgz) try_npm_package "$name" $machine ;;
    *.deb) try_deb "$name" $machine ;;
  esac
  count=$((count + 1))
done
[ "$count" -eq 6 ] || fail "expected three packages for each of two machines in $dist, got $count"
