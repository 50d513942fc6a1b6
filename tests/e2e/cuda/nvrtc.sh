# NVRTC: a program that compiles its kernels while it runs, started by itself and under `evgpu run`.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "nvrtc: clang++-14 is needed"
    finish
fi
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile'
check "nvrtc: compiled by g++" g++ -std=c++14 -I"$build/cuda/include" -o "$work/nvrtc" tests/cuda/nvrtc/nvrtc.cpp \
    -L"$build/cuda/lib64" -lnvrtc -lcuda -Wl,-rpath,"$PWD/$build/cuda/lib64"
passes() {
    limited "$@" >"$work/stdout" 2>&1 && grep -qx PASSED "$work/stdout" || { cat "$work/stdout"; return 1; }
}
check "nvrtc: templates, headers, macros, variables and mistakes" passes "$work/nvrtc"
check "nvrtc: under evgpu run" passes "$evgpu" run --config gtx480.ini --tiles model --no-profile --program "$work/nvrtc"
check "nvrtc: by nvcc" "$build/cuda/bin/nvcc" -o "$work/by_nvcc" tests/cuda/nvrtc/nvrtc.cpp -lnvrtc -lcuda
check "... runs as well" passes "$work/by_nvcc"

# The real one, where it is installed (make pypi): `make nvrtc-conformance` tries more architectures.
real=$(ls "$build"/pypi/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.* 2>/dev/null | tail -n 1)
if [ -n "$real" ]; then
    check "nvrtc: NVIDIA's and ours give equal results" sh tests/nvrtc_conformance.sh "$build" compute_70
else
    skip "nvrtc: NVIDIA's NVRTC (make pypi) is needed to compare it with ours"
fi
# The comparison itself, with ours twice; and that it notices a difference.
conformance() { # conformance KERNELS
    limited "$work/conformance" "$1" "$build/cuda/lib64/libnvrtc.so" "$build/cuda/lib64/libnvrtc.so" compute_70 64 >"$work/compared"
}
check "nvrtc: the comparison is built" ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -I. tests/cuda/nvrtc/conformance.c \
    -o "$work/conformance" -L"$build/cuda/lib64" -lcudart -lcuda -ldl -Wl,-rpath,"$PWD/$build/cuda/lib64"
notices() {
    # A clock differs from run to run of the same kernel.
    printf '%s\n' 'extern "C" __global__ void late(const unsigned long long *in, unsigned long long *out, int n)' \
        '{ for (int k = 0; k < 4; k++) out[4 * (blockIdx.x * blockDim.x + threadIdx.x) + k] = clock64(); }' \
        '#if 0' 'KERNEL(late)' '#endif' >"$work/late.cu"
    conformance "$work/late.cu" && return 1
    grep -q '^FAIL: 1 kernels, 1 differ' "$work/compared" || { cat "$work/compared"; return 1; }
}
check "nvrtc: the comparison notices a difference" notices
finish
