# A sample of `make coverage`: the concurrency tiles reach the aims by their own testbenches. One
# directed program alone must not, so that the measure can fail.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "coverage: does not depend on the sanitizers"
    exit 0
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
tests="test_concurrency_unit test_concurrency_unit_balance test_concurrency_unit_core test_concurrency_unit_random"

build_them() {
    make -s DEPS=0 COV=1 BUILD="$work/cov" OPT=-O1 $(for test in $tests; do echo "$work/cov/tests/tb/$test"; done)
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
