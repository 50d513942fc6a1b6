#!/bin/sh
# Compiles evgpu once more, by a profile of its own jobs: with counters, which say in these jobs what is
# called and which branches are taken; then with what they have counted and with link-time optimisation
# of everything but the tiles. Floating-point arithmetic keeps its meaning, so results are the same bit for bit: each
# job is run in both builds and compared. Then the new evgpu takes the place of BUILD/evgpu, until make
# builds that again.
#
# Usage: fast.sh BUILD JOBS. BUILD holds a finished build, applications included; the new one is
# build/fast. Ends with a verdict line, and changes nothing where that is FAIL.
build=$1
jobs=$2
fast=build/fast
seconds=$(date +%s)

say() {
    echo "fast: $*"
}
fail() {
    say "FAIL: $*"
    exit 1
}
compile() { # STEP
    say "compiling ($1)"
    find $fast \( -name '*.o' -o -name '*.a' -o -name evgpu \) -delete
    ${MAKE:-make} --no-print-directory -s -j"$jobs" DEPS=0 SAN=0 TSAN=0 COV=0 FAST="$1" $fast/evgpu >$fast/log 2>&1 ||
        { tail -n 20 $fast/log; fail "evgpu does not compile with FAST=$1: $fast/log"; }
}
run() { # EVGPU FOLDER NAME OPTION...: the result file is FOLDER/NAME.json
    to=$2/$3.json
    evgpu=$1
    shift 3
    "$evgpu" run --tiles model --threads 1 --no-alone --json "$to" "$@" >$fast/said 2>&1 ||
        { tail -n 5 $fast/said; fail "$evgpu run $*"; }
}
# A bit of everything that the simulator has: memory-bound and compute-bound kernels, atomics, events beside a
# background, CPU cores on a mesh.
all_jobs() { # EVGPU FOLDER
    mkdir -p "$2"
    n=0
    while read -r program; do
        n=$((n + 1))
        run "$1" "$2" "program$n" --config gtx480.ini --program "$build/apps/$program" </dev/null
    done <<'END'
matrixMul 192 1
srad
backprop
pathfinder
bfs --nodes 16384
hotspot --side 256 --steps 4
lud --rows 128
histogram64 --kilobytes 256
blackScholes --options 32768
sssp --nodes 1000
END
    run "$1" "$2" untimed1 --config gtx480.ini --timing none --program "$build/apps/matrixMul 256 1"
    run "$1" "$2" untimed2 --config gtx480.ini --timing none --program "$build/apps/bfs --nodes 16384"
    run "$1" "$2" untimed3 --config gtx480.ini --timing none --program "$build/apps/pathfinder"
    run "$1" "$2" events --packets 800 --background 64
    run "$1" "$2" cpus --config cm-bal.ini --cpus H1 --cpu-quota 20000 --concurrency cm-bal1 --program "$build/apps/bfs"
}

${CC:-cc} --version | grep -qi 'free software' || fail "a profile wants gcc; ${CC:-cc} is another compiler"
[ -x "$build/evgpu" ] || fail "$build/evgpu is not built"
mkdir -p $fast
find $fast -name '*.gcda' -delete
compile train
say "running its jobs with counters"
all_jobs $fast/evgpu $fast/counted
compile use
say "running its jobs in both builds"
all_jobs $fast/evgpu $fast/new
all_jobs "$build/evgpu" $fast/old
checked=0
for file in $fast/new/*.json; do
    "$build/evgpu" compare --lines 5 "$fast/old/${file##*/}" "$file" >$fast/said ||
        { cat $fast/said; fail "results differ: ${file##*/}"; }
    checked=$((checked + 1))
done
cp $fast/evgpu "$build/evgpu.new" && mv "$build/evgpu.new" "$build/evgpu" || fail "$build/evgpu cannot be replaced"
say "PASS: $checked jobs have the same results; $build/evgpu is the new one, after $(($(date +%s) - seconds)) s"
