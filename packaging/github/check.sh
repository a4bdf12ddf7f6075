#!/usr/bin/env bash
# What action.yml runs: brings ranklint where it is not there, annotates the lines, and tells the job.
#
# Inputs come as variables, never as text of a script: nobody who names a path runs a command. Exit status: 0 nothing found
# (or findings need not fail), 1 findings, 2 an error.
set -euo pipefail

say() { printf '%s\n' "$*"; }
die() { say "::error title=ranklint::$*"; exit 2; }

bring_ranklint() {
  command -v ranklint >/dev/null && return
  [ -n "$RANKLINT_PACKAGE" ] ||
    die "no ranklint is on PATH, and the input \`package\` names no wheel to install (a path or an address)"
  # pip looks anything else up in an index, and none has a package of ours.
  [[ $RANKLINT_PACKAGE == *://* || ($RANKLINT_PACKAGE == *.whl && -f $RANKLINT_PACKAGE) ]] ||
    die "expected the path or the address of a wheel in the input \`package\`, got \`$RANKLINT_PACKAGE\`"
  local folder=${RUNNER_TEMP:-/tmp}/ranklint
  say "::group::Install ranklint"
  python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --no-index "$RANKLINT_PACKAGE" ||
    die "\`$RANKLINT_PACKAGE\` can not be installed; the input \`package\` names a wheel"
  say "::endgroup::"
  PATH=$folder/bin:$PATH
  if [ -n "${GITHUB_PATH:-}" ]; then echo "$folder/bin" >>"$GITHUB_PATH"; fi
}

# Words are split at spaces and nothing else is done to them.
split() { read -r -a words <<<"$1" || true; }

write_sarif() {
  local file=$RANKLINT_SARIF
  if [ -z "$file" ] && [ "$RANKLINT_UPLOAD" = true ]; then file=ranklint.sarif; fi
  [ -n "$file" ] || return 0
  ranklint check "${flags[@]}" --exit-zero --output-format sarif --output-file "$file" -- "${paths[@]}" || exit 2
  tell sarif-file "$file"
}

tell() { if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "$1=$2" >>"$GITHUB_OUTPUT"; fi; }

# A row per finding, for the page of the job. Annotations keep in one line what a table needs: place, title, message.
summarize() {
  [ -n "${GITHUB_STEP_SUMMARY:-}" ] || return 0
  {
    echo "### ranklint: $1"
    [ "$count" -gt 0 ] || return 0
    printf '\n| Where | Rule | What |\n|---|---|---|\n'
    sed -nE 's/^::(error|warning|notice) file=([^,]*),line=([0-9]+).*title=([^:]*)::(.*)$/\2:\3\t\4\t\5/p' "$found" |
      sed -E 's/%0A.*//; s/%2C/,/g; s/%3A/:/g; s/%25/%/g; s/\|/\\|/g; s/^/| /; s/$/ |/; s/\t/ | /g' | head -n 200
  } >>"$GITHUB_STEP_SUMMARY"
}

bring_ranklint
split "$RANKLINT_ARGS"; flags=("${words[@]}")
split "$RANKLINT_PATHS"; paths=("${words[@]}")
write_sarif

found=$(mktemp)
trap 'rm -f "$found"' EXIT
status=0
ranklint check "${flags[@]}" --output-format github -- "${paths[@]}" >"$found" || status=$?
[ "$status" -le 1 ] || exit 2
cat "$found"
count=$(grep -cE '^::(error|warning|notice)' "$found" || true)
tell findings "$count"
case $count in
  0) sentence="nothing found" ;;
  1) sentence="1 finding" ;;
  *) sentence="$count findings" ;;
esac
say "ranklint: $sentence"
summarize "$sentence"
if [ "$RANKLINT_FAIL" = false ]; then exit 0; fi
exit "$status"
