# The parts that thread, under ThreadSanitizer: the team, blocks apart, cores with races and locks, output, the heap,
# faults, events beside loads, CPU cores and concurrency management. The first race ends a run with status 66.
# Programs in processes of their own are left out: the sanitizer's memory is where theirs is mapped.
. tests/e2e/lib.sh.inc
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"

# The sanitizer of older compilers does not know the address space that newer systems randomise.
fixed() {
    setarch -R "$@"
}
check "team" fixed "$build/tests/base/test_team"
check "blocks apart" fixed "$build/tests/system/test_apart"
check "kernels are compiled" sh sw/cu2ptx.sh tests/threads/kernels.cu "$work/all.ptx"
kernel() { # kernel NAME THREADS STATUS
    fixed "$evgpu" kernel "$work/all.ptx" "$1" --grid 40 --block 64 --arg zero:256 --arg u32:5 --tiles model \
        --threads "$2"
    [ $? -eq "$3" ]
}
for threads in 2 3 7; do
    check "races, $threads threads" kernel race $threads 0
    check "a lock, $threads threads" kernel lock $threads 0
    check "output and heap, $threads threads" kernel calls $threads 0
    check "a fault, $threads threads" kernel fault $threads 1
    for tiles in model lockstep; do
        check "events, $tiles tiles, $threads threads" fixed "$evgpu" run --service ipv4,packets=200,route-count=1000 \
            --background 0 --tiles $tiles --threads $threads
    done
done
check "CPU cores" fixed "$evgpu" run --config cm-bal.ini --cpus H1 --cpu-warmup 500 --cpu-quota 1000 \
    --concurrency cm-bal1 --service ipv4,packets=96,route-count=1000 --tiles model --threads 3
finish
