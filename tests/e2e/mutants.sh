# Tests of the tests: every mutant must turn its test red.
if [ "${EVGPU_SAN:-0}" = 1 ]; then
    echo "skip mutants: run without the sanitizers"
    exit 0
fi
exec sh tests/mutants/run.sh "${EVGPU_BUILD:-build}"
