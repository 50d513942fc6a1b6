# The table at the end of a program: where it goes, how it is switched, and that what kernels, programs
# and event kernels are charged with is together what the machine has counted.
. tests/e2e/lib.sh.inc

if ! command -v python3 >/dev/null; then
    skip "profile: python3 is not installed"
    exit 0
fi
alone() { EVGPU_FLAGS="--tiles model $*" "$build/apps/vectorAdd" >"$work/stdout" 2>"$work/stderr"; }
table() { grep -q "^Where the time went: $1," "$work/stderr" || { cat "$work/stderr"; return 1; }; }
none() { ! grep -q "Where the time went" "$work/stderr"; }

check "a program by itself" alone
check "... has a table under its name" table vectorAdd
check "... with its kernel" grep -q '^vector_add  *1 ' "$work/stderr"
check "... and copies" grep -q '^copies to device  *2 ' "$work/stderr"
check "... on the error stream only" sh -c "! grep -q 'time went' $work/stdout"
check "... of 100 columns" sh -c "! grep -q '.\{101\}' $work/stderr"
check "switched off" alone --no-profile
check "... there is none" none
"$build/apps/vectorAdd" --no-such-option >"$work/stdout" 2>"$work/stderr"
check "nor after a failure" none

two() {
    "$evgpu" run --tiles model --program "$build/apps/vectorAdd" --program "$build/apps/matrixMul 96" \
        --json "$work/two.json" >"$work/stdout" 2>"$work/stderr"
}
check "two programs at once" two
check "... the first has a table" table vectorAdd
check "... and the second" table matrixMul
check "... together they have everything" python3 tests/e2e/cuda/profile.py "$work/two.json"

events() {
    "$evgpu" run --packets 1000 --route-count 1000 --background 128 --no-alone --set gpu.cores=4 --profile \
        --json "$work/events.json" >"$work/stdout" 2>"$work/stderr"
}
check "events on a program's warps" events
check "... are in the service's table" grep -q '^ipv4_forward (events) ' "$work/stderr"
check "... and have what is theirs" python3 tests/e2e/cuda/profile.py "$work/events.json"
finish
