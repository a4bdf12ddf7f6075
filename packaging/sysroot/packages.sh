#!/usr/bin/env bash
# packages.sh MACHINE SUITE FOLDER PACKAGE...: unpacks packages of a Debian suite for MACHINE (x86_64, aarch64) in FOLDER.
#
# apt has its own lists for it, beside those of the system that runs it, where nothing is installed and nothing changes.
set -euo pipefail
machine=$1 suite=$2
case $machine in
  x86_64) debian=amd64 ;;
  aarch64) debian=arm64 ;;
  *) echo "packages.sh: expected x86_64 or aarch64, got \`$machine\`" >&2; exit 1 ;;
esac
mkdir -p "$3"
top=$(cd "$3" && pwd)
shift 3

apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt"/{lists/partial,archives/partial,debs}
touch "$apt/status"
options=(-q -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o "Dir::State=$apt" -o "Dir::State::status=$apt/status"
  -o "Dir::Cache=$apt" -o APT::Sandbox::User=root)
if [ "$suite" != bookworm ]; then
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -n1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$apt/sources.list"
  options+=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null)
fi
{ apt-get "${options[@]}" update && cd "$apt/debs" && apt-get "${options[@]}" download "$@"; } >&2
for deb in "$apt"/debs/*.deb; do dpkg-deb -x "$deb" "$top"; done
