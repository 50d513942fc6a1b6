#!/bin/sh
# Runs every test program and every script of tests/e2e, two at a time; a log per test lies below
# BUILD/tests. Usage: run.sh BUILD SAN. Ends with "N passed, N failed, N skipped".
build=$1
san=${2:-0}
hang_limit=7200 # seconds: only a test that hangs takes them
logs=$build/tests/logs

one() { # one TEST: runs it, writes its log and "passed failed skipped" beside it
    name=$(printf '%s' "$1" | sed "s,^$build/tests/,,; s,^tests/,,; s,/,-,g; s,\.sh$,,")
    log=$logs/$name.log
    case $1 in
    *.sh) EVGPU_BUILD=$build EVGPU_SAN=$san timeout "$hang_limit" sh "$1" >"$log" 2>&1 ;;
    *) timeout "$hang_limit" "$1" >"$log" 2>&1 ;;
    esac
    status=$?
    passed=$(grep -cE '^(\[       OK \]|ok )' "$log")
    failed=$(grep -E '^(\[  FAILED  \] [A-Za-z_0-9]+$|not ok )' "$log" | sort -u | wc -l)
    skipped=$(grep -E '^(\[  SKIPPED \] [A-Za-z_0-9]+$|skip )' "$log" | sort -u | wc -l)
    # A program that died has failed even if it printed no failure.
    if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
    if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$skipped" -eq 0 ]; then failed=1; fi
    echo "$passed $failed $skipped" >"$logs/$name.count"
    if [ "$failed" -eq 0 ]; then
        echo "ok    $name ($passed)"
        grep -E '^skip ' "$log" | sed 's/^/      /'
    else
        echo "FAIL  $name: $log"
        tail -n 15 "$log" | sed 's/^/      /'
    fi
}

if [ "${3:-}" = --one ]; then
    one "$4"
    exit 0
fi

rm -rf "$logs"
mkdir -p "$logs"
# The longest first, so that two workers end together.
{
    longest='mutants lint readme cuda_programs fpga cm_proof serial coverage gates formal_sample kernels'
    printf 'tests/e2e/%s.sh\n' $longest
    ls tests/e2e/*.sh | grep -vE "/($(echo $longest | tr ' ' '|'))\.sh$"
    find "$build/tests" -path "$logs" -prune -o -type f -perm -u+x -name 'test_*' -print | sort
} | xargs -P 2 -I '{}' sh "$0" "$build" "$san" --one '{}'

cat "$logs"/*.count 2>/dev/null | awk '
    { p += $1; f += $2; s += $3 }
    END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0 }'
