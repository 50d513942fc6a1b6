# libcu++, Thrust and CUB by the headers of PyPI's nvidia-cuda-cccl-cu12 (make pypi), with each clang that is here.
. tests/e2e/lib.sh.inc

headers=$(ls -d "$build"/pypi/lib/python3*/site-packages/nvidia/cuda_cccl/include 2>/dev/null | tail -n 1)
if [ -z "$headers" ] || ! command -v clang++-14 >/dev/null; then
    skip "cccl: clang++-14 and CCCL (make pypi) are needed"
    finish
fi
if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "cccl: a sanitized library needs a sanitized program"
    finish
fi
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile'
passes() { # passes PROGRAM
    limited "$work/$1" >"$work/stdout" && grep -qx PASSED "$work/stdout" || { cat "$work/stdout"; return 1; }
}
# In the toolkit's folder, where pip puts them, nvcc finds them by itself.
found() { # found COMMAND...: in a copy of the toolkit
    "$@" "$work/cuda/bin/nvcc" -ptx -std=c++17 -arch=sm_80 -o "$work/found.ptx" tests/cuda/cccl/synchronisation.cu
}
check "cccl: a copy of the toolkit" cp -r "$build/cuda" "$work/cuda"
rm -rf "$work/cuda/cccl"
check "cccl: nvcc says how to install libcu++" fails_with 1 'pip install --target "$(evgpu cuda-home)/cccl"' found env
mkdir -p "$work/cuda/cccl/nvidia/cuda_cccl"
ln -s "$(cd "$headers" && pwd)" "$work/cuda/cccl/nvidia/cuda_cccl/include"
check "cccl: installed there, nvcc finds it" found env
for clang in clang++-14 clang++-16 clang++-19; do
    command -v $clang >/dev/null || continue
    export EVGPU_CLANG=$clang
    check "cccl: libcu++ compiled by $clang" "$build/cuda/bin/nvcc" -O1 -std=c++17 -arch=sm_70 -I"$headers" \
        -o "$work/synchronisation" tests/cuda/cccl/synchronisation.cu
    check "... barrier, pipeline, atomic, semaphore, latch" passes synchronisation
    check "cccl: libcu++ for sm_80, by mbarrier and cp.async" "$build/cuda/bin/nvcc" -O1 -std=c++17 -arch=sm_80 \
        -I"$headers" -o "$work/synchronisation" tests/cuda/cccl/synchronisation.cu
    check "... the same" passes synchronisation
    check "cccl: Thrust and CUB compiled by $clang" "$build/cuda/bin/nvcc" -O1 -std=c++17 -I"$headers" \
        -o "$work/algorithms" tests/cuda/thrust/algorithms.cu
    check "... reduce, scan, sort, unique, copy_if, BlockReduce, DeviceRadixSort" passes algorithms
    check "cccl: the same without assertions" "$build/cuda/bin/nvcc" -DNDEBUG -std=c++17 -I"$headers" \
        -ptx -o "$work/algorithms.ptx" tests/cuda/thrust/algorithms.cu
done
finish
