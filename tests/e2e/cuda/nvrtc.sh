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
finish
