# Thrust and CUB: Debian's headers with the toolkit, their results against the host's.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null || [ ! -e /usr/include/thrust/sort.h ] || [ ! -e /usr/include/cub/cub.cuh ]; then
    skip "thrust: clang++-14, libthrust-dev and libcub-dev are needed"
    finish
fi
if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "thrust: a sanitized library needs a sanitized program"
    finish
fi
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile'
check "thrust: compiled" "$build/cuda/bin/nvcc" -O1 -std=c++14 -o "$work/algorithms" tests/cuda/thrust/algorithms.cu
passes() {
    limited "$work/algorithms" >"$work/stdout" && grep -qx PASSED "$work/stdout" || { cat "$work/stdout"; return 1; }
}
check "thrust: reduce, scan, sort, unique, copy_if; cub: BlockReduce, DeviceRadixSort" passes
finish
