# Machine code for kernels without time (--native): values, instructions and messages are those of the interpreter.
# NATIVE_ALL=1: for every row of the table of applications (`make native-test`).
. tests/e2e/lib.sh.inc

# Its own folder for temporary files, to see that nothing is left there.
mkdir "$work/temporary"
export TMPDIR="$work/temporary"

run() { # run NAME WHEN OPTION...: without time; $work/NAME.json, NAME.out
    file=$work/$1 when=$2
    shift 2
    limited "$evgpu" run --config gtx480.ini --tiles model --no-profile --timing none --native "$when" --json "$file.json" \
        "$@" >"$file.out" 2>&1
}
# The figures of two runs; how many kernels got code is none, since that depends on the host.
equal() { # equal PROGRAM OPTION...
    run interpreted off --program "$@" && run compiled first --program "$@" || { cat "$work/compiled.out"; return 1; }
    same_figures "$work/interpreted.json" "$work/compiled.json" &&
        grep -q 'machine code for [1-9]' "$work/compiled.out" && ! grep -q 'machine code' "$work/interpreted.out"
}
empty() {
    [ -z "$(ls "$TMPDIR")" ] || { ls "$TMPDIR"; return 1; }
}

check "native: matrixMul" equal "$build/apps/matrixMul 40"
check "native: matrixMul on three threads" equal "$build/apps/matrixMul 200" --threads 3
if [ -n "${NATIVE_ALL:-}" ]; then
    sed -n '/^matrixMul 40/,/^END$/p' tests/e2e/cuda/apps.sh | grep -v '^END$' | grep -v copyLatency >"$work/rows"
else
    printf '%s\n' 'bfs --nodes 300 --block 64' 'blackScholes --options 900 --blocks 5' 'backprop --nodes 528' \
        'productStream --tiles 4 --products 3 --inner 16 --way persistent --blocks 3' 'fibLookup --threads 200' >"$work/rows"
fi
while read -r name arguments; do
    [ -x "$build/apps/$name" ] || continue # not in the tree of the mutants
    check "native: $name $arguments" equal "$build/apps/$name $arguments"
done <"$work/rows"

# A compiler that fails, and none: all is interpreted.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/cc" && chmod +x "$work/bin/cc"
fails() {
    PATH=$work/bin:$PATH run failed first --program "$build/apps/matrixMul 40" &&
        same_figures "$work/interpreted_matrix.json" "$work/failed.json" && ! grep -q 'machine code' "$work/failed.out"
}
run interpreted_matrix off --program "$build/apps/matrixMul 40"
check "native: a compiler that fails" fails
# It comes when it comes, and here mostly too late: the compiler is ended with the run.
check "native: beside the run" run beside auto --program "$build/apps/matrixMul 710"
misnamed() {
    ! run misnamed now --program "$build/apps/matrixMul 40" &&
        grep -qx 'evgpu: --native: must be auto, first or off' "$work/misnamed.out"
}
check "native: another word is refused" misnamed
check "native: nothing is left behind" empty

home=$("$evgpu" cuda-home 2>/dev/null)
if ! command -v clang++-14 >/dev/null || [ ! -x "$home/bin/nvcc" ]; then
    skip "native: kernels of its own: clang++-14 and the toolkit are needed"
    finish
fi
built() {
    "$home/bin/nvcc" -std=c++17 -o "$work/native" tests/cuda/programs/native/native.cu
}
forms() { # forms THREADS
    equal "$work/native" --threads "$1" && grep -qx PASSED "$work/compiled.out" &&
        grep '^values ' "$work/interpreted.out" >"$work/values" && grep '^values ' "$work/compiled.out" | diff "$work/values" -
}
outside() { # outside WHERE: the message names the access, whichever of its group it is
    ! run interpreted off --program "$work/native $1" && ! run compiled first --program "$work/native $1" &&
        grep 'outside' "$work/interpreted.out" >"$work/message" && grep 'outside' "$work/compiled.out" | diff "$work/message" -
}
check "native: a program with every form of access" built
check "native: it is right, and as interpreted" forms 1
check "native: and on three threads" forms 3
check "native: an access behind a buffer has the same message" outside behind
check "native: an access before a buffer has the same message" outside before
apart() {
    ! run interpreted off --watchdog 20000 --program "$work/native apart" &&
        ! run compiled first --watchdog 20000 --program "$work/native apart" &&
        grep -q 'hang: .*waits at a barrier' "$work/interpreted.out" && grep -q 'hang: .*waits at a barrier' "$work/compiled.out"
}
check "native: barriers with other numbers are others" apart
check "native: again nothing is left behind" empty
finish
