# docs/guide/own-service.md: its commands, word for word, in a copy of the tree (tests/tutorials.sh).
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "the tutorial builds without sanitizers"
    finish
fi
[ -e .git ] || { skip "the tutorial copies what git knows"; finish; }
check "a service of one's own" sh tests/tutorials.sh "$build" own-service
cp "$work/out" "$work/log"
check "... ends with a verdict" grep -q '^TUTORIALS OK: 1 in ' "$work/log"
finish
