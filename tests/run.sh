#!/bin/sh
# Runs test programs and scripts, four at a time, since some of them wait; a log per test lies below
# BUILD/tests. Usage: run.sh BUILD SAN TEST.... Each line ends with the processor seconds that the test took;
# BUILD/tests/logs/seconds has them sorted. Ends with "N passed, N failed, N skipped".
build=$1
san=${2:-0}
hang_limit=7200 # seconds: only a test that hangs takes them
logs=$build/tests/logs
shift 2

one() { # one TEST: runs it, writes its log and "passed failed skipped" beside it
    name=$(printf '%s' "$1" | sed "s,^$build/tests/,,; s,^tests/,,; s,/,-,g; s,\.sh$,,")
    log=$logs/$name.log
    case $1 in
    *.sh) EVGPU_BUILD=$build EVGPU_SAN=$san timeout "$hang_limit" sh "$1" >"$log" 2>&1 ;;
    *) timeout "$hang_limit" "$1" >"$log" 2>&1 ;;
    esac
    status=$?
    # User and system time of what this shell has waited for; in a pipe it would be another shell's.
    times >"$logs/$name.seconds"
    seconds=$(awk -F '[ms ]+' 'NR == 2 { printf "%.1f", 60 * ($1 + $3) + $2 + $4 }' "$logs/$name.seconds")
    passed=$(grep -cE '^(\[       OK \]|ok )' "$log")
    failed=$(grep -E '^(\[  FAILED  \] [A-Za-z_0-9]+$|not ok )' "$log" | sort -u | wc -l)
    skipped=$(grep -E '^(\[  SKIPPED \] [A-Za-z_0-9]+$|skip )' "$log" | sort -u | wc -l)
    # A program that died has failed even if it printed no failure.
    if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
    if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$skipped" -eq 0 ]; then failed=1; fi
    echo "$passed $failed $skipped" >"$logs/$name.count"
    echo "$seconds $name" >"$logs/$name.seconds"
    if [ "$failed" -eq 0 ]; then
        echo "ok    $name ($passed) $seconds s"
        grep -E '^skip ' "$log" | sed 's/^/      /'
    else
        echo "FAIL  $name: $log"
        tail -n 15 "$log" | sed 's/^/      /'
    fi
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit 0
fi

rm -rf "$logs"
mkdir -p "$logs"
# The longest first, so that all workers end together.
longest='rtl/formal_sample rtl/mutants cuda/math_libraries cuda/cuda_programs rtl/lint rtl/fpga cuda/nvcc project/readme
    cuda/kernels cuda/native rtl/serial rtl/coverage services/interrupt project/own_policy rtl/cm_proof cuda/thrust
    project/report_pages rtl/idle_frontend rtl/gates'
{
    printf 'tests/e2e/%s.sh\n' $longest | grep -xF "$(printf '%s\n' "$@")"
    printf '%s\n' "$@" | grep -vxF "$(printf 'tests/e2e/%s.sh\n' $longest)"
} | xargs -P 4 -I '{}' sh "$0" "$build" "$san" --one '{}'

sort -rn "$logs"/*.seconds >"$logs/seconds" 2>/dev/null
cat "$logs"/*.count 2>/dev/null | awk '
    { p += $1; f += $2; s += $3 }
    END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0 }'
