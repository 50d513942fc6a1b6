# Tests of the tests: every mutant of the sample must turn its test red. The sample has one at least per
# file and per test that any mutant names; `make mutants` runs all.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "mutants: run without the sanitizers"
    exit 0
fi
sample=$(grep -v '^#' tests/mutants/sample.txt)

fields() { # FILE.mutant...: what they break and what must fail
    sed -n -e 's/^file: //p' -e 's/^test: //p' "$@" | sort -u
}
complete() {
    fields $(printf 'tests/mutants/%s.mutant ' $sample) >"$work/sampled"
    fields tests/mutants/*.mutant | diff "$work/sampled" -
}

check "the sample has every file and every test" complete
sh tests/mutants/run.sh "$build" $sample || failures=$((failures + 1))
finish
