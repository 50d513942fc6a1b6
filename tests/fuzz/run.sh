#!/bin/sh
# Fuzzes every target, or those named, each for its share of the time: with AFL++ where the programs
# are built by its compiler, else with their own mutants. What crashes or hangs is kept below
# BUILD/found. Usage: run.sh BUILD SECONDS [NAME...]. Ends with one line; status 1: something was found.
build=$1
seconds=$2
shift 2
[ "$#" -gt 0 ] || set -- $(ls "$build"/tests/fuzz/ | sed -n 's,^test_\([a-z_0-9]*\)$,\1,p')
share=$((seconds / $#))
[ "$share" -gt 0 ] || share=1
found=$build/found
rm -rf "$found"
mkdir -p "$found"
# Files of inputs, in memory where there is such a place.
TMPDIR=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)/evgpu-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' INT TERM
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1
export UBSAN_OPTIONS=abort_on_error=1:symbolize=0
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
limit_ms=30000 # for one input: a hang, not a slow machine

# Each prints "NAME EXECUTIONS CRASHES HANGS".
by_afl() { # NAME
    program=$build/tests/fuzz/test_$1 out=$build/afl/$1
    rm -rf "$out"
    mkdir -p "$out/in"
    "$program" --unpack "$out/in" &&
        afl-fuzz -V "$share" -t "$limit_ms" -m none -i "$out/in" -o "$out/out" -- "$program" --afl \
            >"$out/log" 2>&1
    stats=$out/out/default/fuzzer_stats
    [ -f "$stats" ] || { echo "fuzz: $1: AFL++ did not run: $out/log" >&2; echo "$1 0 1 0"; return; }
    for file in "$out"/out/default/crashes/id* "$out"/out/default/hangs/id*; do
        [ ! -f "$file" ] || cp "$file" "$found/$1-$(basename "$(dirname "$file")")-$(basename "$file" | cut -c1-9 | tr : -)"
    done
    awk -v name="$1" '{ v[$1] = $3 } END { print name, v["execs_done"], v["saved_crashes"], v["saved_hangs"] }' "$stats"
}
by_itself() { # NAME
    mkdir -p "$found/$1"
    "$build/tests/fuzz/test_$1" --seconds "$share" "$found/$1" 2>"$found/$1/messages" | tail -n 1
    rmdir "$found/$1" 2>/dev/null || [ -s "$found/$1/messages" ] || rm -r "$found/$1"
}

# The kept inputs first.
for name; do
    if ! "$build/tests/fuzz/test_$name" >"$found/$name.kept" 2>&1; then
        cat "$found/$name.kept"
        echo "fuzz: $name: a kept input fails: FAIL"
        exit 1
    fi
    rm "$found/$name.kept"
done
how=by_itself
! command -v afl-fuzz >/dev/null || ! grep -q __AFL_SHM_ID "$build/tests/fuzz/test_$1" || how=by_afl
for name; do
    echo "fuzz: $name, $share s" >&2
    $how "$name"
done | tee "$build/fuzz.table"
awk -v how="$([ "$how" = by_afl ] && echo 'AFL++' || echo 'own mutants')" -v found="$found" '
    { n++; executions += $2; crashes += $3; hangs += $4 }
    END {
        bad = crashes + hangs > 0 || !n
        printf "fuzz: %d targets, %s: %d executions, %d crashes, %d hangs%s\n", n, how, executions, crashes,
            hangs, bad ? ", in " found ": FAIL" : ": PASS"
        exit bad
    }' "$build/fuzz.table"
