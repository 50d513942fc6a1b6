#!/bin/sh
# Every application: tests/e2e/cuda/apps.sh and apps_modes.sh with the applications and the client library
# under the sanitizers, then the default sizes twice on gtx480.ini, with the same statistics.
# Usage: apps_check.sh BUILD SANITIZED_BUILD. Ends with APPS OK or APPS FAILED.
build=$(realpath "$1")
sanitized=$(realpath "$2")
EVGPU_BUILD=$build
. tests/e2e/lib.sh.inc
failed=0

# The simulator as it is, beside sanitized programs.
mkdir "$work/view"
ln -s "$build/evgpu" "$build/cuda" "$sanitized/apps" "$work/view"
for script in apps apps_modes; do
    if EVGPU_BUILD=$work/view LD_LIBRARY_PATH=$sanitized/lib sh tests/e2e/cuda/$script.sh >"$work/sanitized"; then
        echo "ok $script under the sanitizers ($(grep -c '^ok' "$work/sanitized"))"
    else
        grep -A 20 '^not ok' "$work/sanitized"
        failed=1
    fi
done

once() { # once NAME RUN
    "$build/evgpu" run --config gtx480.ini --program "$build/apps/$1" --json "$work/$1.$2.json" \
        >"$work/$1.$2.out" 2>&1
}
for program in sw/apps/*/program.c; do
    name=$(basename "$(dirname "$program")")
    # It has no work without a service.
    [ "$name" = eventForward ] && continue
    if once "$name" 1 && once "$name" 2 && same_figures "$work/$name.1.json" "$work/$name.2.json"; then
        echo "ok $name twice"
    else
        echo "not ok $name twice"
        tail -n 5 "$work/$name".*.out
        failed=1
    fi
done

[ "$failed" = 0 ] && echo "APPS OK" || echo "APPS FAILED"
exit "$failed"
