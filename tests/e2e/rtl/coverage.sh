# A sample of `make coverage`: the concurrency tiles reach the aims by their own directed testbenches.
# One of these alone must not, so that the measure can fail.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "coverage: does not depend on the sanitizers"
    exit 0
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
tests="test_concurrency_unit test_concurrency_unit_balance test_concurrency_unit_core"

# Only what is measured is built with counters. The programs link the other tiles too: they, and what
# is no Verilog, are those of BUILD.
build_them() {
    mkdir -p "$work/cov/verilated"
    cp -a "$build/defgen" "$build/gen" "$build/obj" "$build"/lib*.a "$work/cov/"
    others=$(cd "$build/verilated" && ls lib*.a | grep -vE '^lib(sm_)?concurrency_unit|^libvrt')
    for tile in $others; do
        cp -a "$build/verilated/$tile" "$work/cov/verilated/"
    done
    make -s DEPS=0 COV=1 BUILD="$work/cov" OPT=-O0 $(printf -- "-o $work/cov/verilated/%s " $others) \
        $(printf "$work/cov/tests/tb/%s " $tests)
}
misses() { # TEST
    ! sh tests/coverage.sh "$work/cov" "$work/coverage.md" "$1" >"$work/verdict" &&
        grep '^coverage: .* FAIL$' "$work/verdict"
}

check "build with counters" build_them
check "coverage of the concurrency tiles" sh tests/coverage.sh "$work/cov" "$work/coverage.md" $tests
check "... in a table of their modules" grep -q '^| cm_bal_core |' "$work/coverage.md"
check "too few tests are found" misses test_concurrency_unit_balance
finish
