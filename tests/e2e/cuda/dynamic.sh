# Dynamic parallelism: kernels that launch kernels, timed and not, on several threads, and their faults.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "dynamic: clang++-14 is needed"
    finish
fi
nvcc=$("$evgpu" cuda-home)/bin/nvcc
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile'
for each in dynamic faults; do
    check "$each is compiled" "$nvcc" -rdc=true -std=c++14 -O1 -o "$work/$each" "tests/cuda/dynamic/$each.cu" -lcudadevrt
done
passes() {
    limited "$@" >"$work/stdout" 2>&1 && grep -qx PASSED "$work/stdout" || { cat "$work/stdout"; return 1; }
}
check "launches in kernels" passes "$work/dynamic"
check "... without time" passes env EVGPU_TIMING=none "$work/dynamic"
check "... no race in what a launch itself does" passes env EVGPU_TIMING=none EVGPU_FLAGS="$EVGPU_FLAGS --check all" "$work/dynamic"
run() { # run OUTPUT THREADS: its figures
    passes "$evgpu" run --config gtx480.ini --tiles model --profile --threads "$2" --json "$1" --program "$work/dynamic"
}
check "... on one thread" run "$work/one.json" 1
check "... on two, with the same figures" run "$work/two.json" 2
check "... which are the same" same_figures "$work/one.json" "$work/two.json"
counted() { # the launches in kernels are in the profile: a tree of 126 grids and the one of the host
    grep -qE 'tree +127 launches' "$work/stdout" || { cat "$work/stdout"; return 1; }
}
check "the profile counts them" counted
faults() {
    limited "$work/faults" "$1" >"$work/stdout" 2>"$work/stderr" && grep -qx cudaErrorIllegalAddress "$work/stdout" &&
        grep -q "store of 4 bytes at address 0x1234" "$work/stderr" || { cat "$work/stdout" "$work/stderr"; return 1; }
}
check "a launched kernel's fault" faults child
check "the fault of a kernel with launches under way" faults parent
finish
