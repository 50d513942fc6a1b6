# Tests of the tests: every mutant of the sample must turn its test red. The sample has one at least per
# tile, and per other test that any mutant names; `make mutants` runs all.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "mutants: run without the sanitizers"
    exit 0
fi
sample=$(grep -v '^#' tests/mutants/sample.txt)

that_fail() { # FILE.mutant...: the tests; those of a tile's testbenches are one
    sed -n 's/^test: //p' "$@" |
        sed -E 's,(tb/test_(concurrency|gpu_frontend|mem_frontend|sm_event_unit)).*,\1,' | sort -u
}
complete() {
    that_fail $(printf 'tests/mutants/%s.mutant ' $sample) >"$work/sampled"
    that_fail tests/mutants/*.mutant | diff "$work/sampled" -
}

check "the sample has every tile and test" complete
sh tests/mutants/run.sh "$build" $sample || failures=$((failures + 1))
finish
