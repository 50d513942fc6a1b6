# One small tile of `make gates`, directed tests only.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "gates: run without the sanitizers"
    exit 0
fi
if ! command -v yosys >/dev/null; then
    skip "gates: Debian package yosys is not installed"
    exit 0
fi

GATES_TESTS='^test_concurrency_unit$'
export GATES_TESTS

# Tests that cannot fail show nothing.
broken() {
    cp "$build/gates/ice40/concurrency_unit/netlist/concurrency_unit.v" "$work/netlist.v" || return 1
    GATES_NETLIST=$work/netlist.v GATES_BREAK=1 sh tests/gates.sh "$build" ice40 concurrency_unit >"$work/verdict"
    grep 'test_concurrency_unit, .*: FAIL$' "$work/verdict"
}

check "netlist passes the block testbench" sh tests/gates.sh "$build" ice40 concurrency_unit
check "an inverted lookup table is found" broken
finish
