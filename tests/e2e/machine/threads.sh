# --threads: no result depends on it. Machines and programs by chance (`make threads-test` has more of
# them), a program started by itself, and what the option does not take.
. tests/e2e/lib.sh.inc

python3 tests/threads/machines.py "$build" "${EVGPU_THREAD_MACHINES:-5}" 1 | sed '$d'

# A kernel without any order between its blocks: the last store wins, and every value depends on others'.
race() { # race NAME OPTION...
    name=$1
    shift
    "$evgpu" kernel "$work/race.ptx" race --grid 60 --block 128 --arg zero:256 --arg u32:40 --out 0="$work/$name.out" \
        --json "$work/$name.json" --tiles model "$@"
}
check "a kernel with races is compiled" sh sw/cu2ptx.sh tests/threads/kernels.cu "$work/race.ptx"
check "... and runs" race one
for n in 2 3 7 auto; do
    check "... with --threads $n" race "$n" --threads "$n"
    check "... to the same words" cmp "$work/one.out" "$work/$n.out"
    check "... with the same statistics" same_figures "$work/one.json" "$work/$n.json"
done

attached() { # attached NAME THREADS
    EVGPU_THREADS=$2 EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS="--tiles model --json $work/$1.json" \
        "$build/apps/pathfinder" --columns 600 --rows 30
}
check "a program started by itself" attached self 1
check "... with EVGPU_THREADS=3" attached self3 3
check "... has the same statistics" same_figures "$work/self.json" "$work/self3.json"

for n in 0 65 two -1; do
    check "--threads $n is refused" fails_with 2 "--threads" "$evgpu" run --threads="$n"
done
check "EVGPU_THREADS is checked" fails_with 2 "EVGPU_THREADS" env EVGPU_THREADS=x "$evgpu" run
finish
