# The quick proofs of `make formal`.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "formal: does not depend on the sanitizers"
    exit 0
fi
if ! command -v yosys-abc >/dev/null || ! command -v z3 >/dev/null; then
    skip "formal: Debian packages yosys and z3 are not installed"
    exit 0
fi

# A proof that cannot fail proves nothing: the task of a broken module must fail.
broken() { # FILE SED TASK
    mkdir "$work/broken" && cp -r rtl tests "$work/broken" && sed "$2" "$1" >"$work/broken/$1" &&
        ! cmp -s "$1" "$work/broken/$1" || return 1
    sh "$work/broken/tests/formal/run.sh" "$build" -q "$3" >"$work/verdict"
    grep -E '^FAIL .* (pdr|induct) ' "$work/verdict"
}

check "quick proofs" sh tests/formal/run.sh "$build" -q
check "a broken rule of loads is found" broken rtl/edge/victim_flush.v \
    's/vic_loads && !vic_younger && !vic_pipe/vic_loads \&\& !vic_pipe/' victim_flush
finish
