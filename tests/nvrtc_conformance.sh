#!/bin/sh
# nvrtc_conformance.sh BUILD ARCHITECTURE...: the kernels of tests/cuda/nvrtc/kernels.cu compiled by NVIDIA's NVRTC
# (make pypi, or the library that EVGPU_NVRTC names) and by ours, run on the same numbers. Ends with one line.
set -u
build=$1
shift
real=${EVGPU_NVRTC:-$(ls "$build"/pypi/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.* 2>/dev/null | tail -n 1)}
if [ -z "$real" ]; then
    echo "nvrtc-conformance: no NVRTC of NVIDIA's is here: make pypi, or EVGPU_NVRTC=LIBRARY"
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile' EVGPU_TIMING=none
${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -I. tests/cuda/nvrtc/conformance.c -o "$work/conformance" \
    -L"$build/cuda/lib64" -lcudart -lcuda -ldl -Wl,-rpath,"$PWD/$build/cuda/lib64" || exit 1
failed=0
for architecture; do
    "$work/conformance" tests/cuda/nvrtc/kernels.cu "$real" "$build/cuda/lib64/libnvrtc.so" "$architecture" 2048 || failed=$((failed + 1))
done
[ "$failed" -eq 0 ] && echo "nvrtc-conformance: PASS" || echo "nvrtc-conformance: FAIL"
exit "$failed"
