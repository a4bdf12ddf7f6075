#!/usr/bin/env bash
# packages.sh WHICH MACHINE SUITE FOLDER PACKAGE...: unpacks packages of a Debian suite for MACHINE (x86_64, aarch64) in
# FOLDER. WHICH is `these`, or `needed` for all that they depend on as well.
#
# apt has its own lists for it, beside those of the system that runs it, where nothing is installed and nothing changes.
set -euo pipefail
which=$1 machine=$2 suite=$3
case $which in
  these) command=(download) ;;
  needed) command=(install --yes --no-install-recommends --download-only) ;;
  *) echo "packages.sh: expected \`these\` or \`needed\`, got \`$which\`" >&2; exit 1 ;;
esac
case $machine in
  x86_64) debian=amd64 ;;
  aarch64) debian=arm64 ;;
  *) echo "packages.sh: expected x86_64 or aarch64, got \`$machine\`" >&2; exit 1 ;;
esac
mkdir -p "$4"
top=$(cd "$4" && pwd)
shift 4

apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt"/{lists/partial,archives/partial}
touch "$apt/status"
options=(-q -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o "Dir::State=$apt" -o "Dir::State::status=$apt/status"
  -o "Dir::Cache=$apt" -o APT::Sandbox::User=root)
if [ "$suite" != bookworm ]; then
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -n1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$apt/sources.list"
  options+=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null)
fi
{ apt-get "${options[@]}" update && cd "$apt/archives" && apt-get "${options[@]}" "${command[@]}" "$@"; } >&2
for deb in "$apt"/archives/*.deb; do dpkg-deb -x "$deb" "$top"; done
