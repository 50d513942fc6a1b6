# gpu.lookahead: cores that run before the others give the same statistics, cycle for cycle, unless a kernel has
# races; and those, too, do not depend on the number of threads.
. tests/e2e/lib.sh.inc

run() { # run NAME LOOKAHEAD OPTION...
    name=$1 ahead=$2
    shift 2
    "$evgpu" run --no-alone --no-profile --tiles model --set "gpu.lookahead=$ahead" --json "$work/$name.$ahead.json" "$@"
}
like_one() { # like_one NAME OPTION...
    name=$1
    shift
    check "$name, cores in step" run "$name" 1 "$@"
    for ahead in 3 8; do
        check "$name, cores run $ahead cycles ahead" run "$name" $ahead "$@"
        check "... with the same statistics" same_figures "$work/$name.1.json" "$work/$name.$ahead.json"
    done
}
like_one matrixMul --config gtx480.ini --program "$build/apps/matrixMul 64 1"
like_one atomics --config gtx480.ini --program "$build/apps/histogram64 --kilobytes 40"
like_one stores --config gtx580.ini --program "$build/apps/pathfinder --columns 900 --rows 20" \
    --set network.reply_latency=4 --set network.port_queue=2
like_one two --config edge.ini --program "$build/apps/vectorAdd --elements 3000" \
    --program "$build/apps/lud --rows 48" --set gpu.kernels_running=2
like_one events --packets 96 --background 32

# Blocks that lock, print and allocate, and end in a fault.
check "kernels are compiled" sh sw/cu2ptx.sh tests/threads/kernels.cu "$work/all.ptx"
kernel() { # kernel NAME LOOKAHEAD THREADS STATUS
    "$evgpu" kernel "$work/all.ptx" "$1" --grid 40 --block 64 --arg zero:256 --arg u32:5 --tiles model \
        --set "gpu.lookahead=$2" --threads "$3" --out 0="$work/$1.$2.$3.out" --json "$work/$1.$2.$3.json" \
        >"$work/said" 2>&1
    status=$?
    grep -E "block|fault" "$work/said" >"$work/$1.$2.$3.text"
    [ $status -eq "$4" ]
}
same() { # same NAME A B
    cmp "$work/$1.$2.out" "$work/$1.$3.out" && cmp "$work/$1.$2.text" "$work/$1.$3.text" &&
        same_figures "$work/$1.$2.json" "$work/$1.$3.json"
}
for name in lock calls; do
    check "$name, in step" kernel $name 1 1 0
    check "$name, ahead" kernel $name 8 1 0
    check "... gives the same" same $name 1.1 8.1
done
check "races, ahead" kernel race 8 1 0
check "races, ahead, on two threads" kernel race 8 2 0
check "... give the same" same race 8.1 8.2
check "a fault, ahead" kernel fault 8 2 1
check "... is named" grep -q "kernel fault" "$work/fault.8.2.text"

for n in 0 9; do
    check "gpu.lookahead=$n is refused" fails_with 2 "gpu.lookahead" "$evgpu" run --set "gpu.lookahead=$n"
done
finish
