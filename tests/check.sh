#!/bin/sh
# The tests of what has changed since they last passed, or since HEAD: the unit tests of the layers touched,
# a quick lockstep run, lint, the scripts of tests/e2e that have changed. Under a minute after a small change.
# Usage: check.sh BUILD SAN MAKE...: MAKE with its options, which builds what is needed.
build=$1
san=$2
shift 2
here=$(dirname "$0")
. "$here/check/changed.sh.inc"
mkdir -p "$build/check"
state >"$build/check/now"
changed "$build/check/green" "$build/check/now" >"$build/check/changed"

# A file belongs to the layer of the longest folder that it lies in.
"$@" layers >"$build/check/layers" || exit 1
layers=$(awk 'NR == FNR { layer[$2] = $1; next }
    { folder = $0
      while (sub(/[^\/]*\/?$/, "", folder) && folder != "")
          if (folder in layer) { print layer[folder]; next } }' \
    "$build/check/layers" "$build/check/changed" | sort -u)
scripts=$(grep -xE 'tests/e2e/[a-z]*/[a-z_0-9]*\.sh' "$build/check/changed" | while read -r script; do
    [ ! -e "$script" ] || echo "$script"
done)
echo "check: $(wc -l <"$build/check/changed") files have changed; layers: $(echo ${layers:-none})"

programs=$("$@" touched-programs TOUCHED="$(echo $layers)") || exit 1
[ -z "$programs" ] || "$@" $programs || exit 1
EVGPU_CHANGED=$build/check/changed sh "$here/run.sh" "$build" "$san" $programs $scripts \
    "$here/check/lint.sh" "$here/check/lockstep.sh" || exit 1
mv "$build/check/now" "$build/check/green"
