# The toolkit's libraries with kernels of their own: results against the host's by nvcc, and in part by g++ under evgpu run.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "math libraries: clang++-14 is needed"
    finish
fi
home=$("$evgpu" cuda-home)
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile'
passes() {
    limited "$@" >"$work/stdout" 2>&1 && grep -qx PASSED "$work/stdout" || { cat "$work/stdout"; return 1; }
}

# Each file is compiled once, by nvcc; by g++ those that between them include all headers of the library.
by_nvcc() { # by_nvcc FILE...: objects, and a program of them
    objects=
    for file in "$@"; do
        object=$work/$(basename "$file" .cpp).o
        "$home/bin/nvcc" -std=c++17 -c -o "$object" "$file" || return 1
        objects="$objects $object"
    done
    "$home/bin/nvcc" -o "$work/$name" $objects $libraries
}
by_gcc() {
    for file in tests/cuda/libraries/"$name".cpp tests/cuda/libraries/"$name"_first.cpp tests/cuda/libraries/"$name"_sparse.cpp; do
        [ ! -e "$file" ] || g++ -std=c++17 -I"$home/include" -c -o "$work/$(basename "$file" .cpp).o" "$file" || return 1
    done
    g++ -o "$work/by_gcc" $objects -L"$home/lib64" $libraries -lcudart
}
for each in "blas cublas" "lt cublasLt" "fft cufft" "rand curand" "solver cusolver cusparse" "sparse cusparse"; do
    name=${each%% *} libraries=$(printf -- " -l%s" ${each#* })
    check "$name: built by nvcc" by_nvcc tests/cuda/libraries/"$name"*.cpp
    check "$name: every call against the host" passes env EVGPU_TIMING=none "$work/$name"
    [ "$name" != fft ] || fft_said=$(grep -c '^evgpu: CUFFT_INVALID_SIZE: describe needs batch >= 1$' "$work/stdout")
    check "$name: built by g++" by_gcc
    check "$name: found under evgpu run" passes "$evgpu" run --config gtx480.ini --tiles model --no-profile --timing none \
        --program "$work/by_gcc short"
done

# The same tests of cuBLAS by the calls that end in _64, all of which take part.
wide_names() {
    nm -D --defined-only "$home/lib64/libcublas.so" | awk '$3 ~ /_64$/ { print $3 }' | sort >"$work/wide"
    { echo '#include <cublas_v2.h>'; echo '#define CUBLAS_SIZE int64_t'; sed 's/\(.*\)_64$/#define \1 &/' "$work/wide"; } >"$work/wide.h"
    objects=
    for file in tests/cuda/libraries/blas*.cpp; do
        case $file in
        *_first.cpp | *_compute.cpp) names= ;; # with 32 bits alone
        *) names="-include $work/wide.h" ;;
        esac
        object=$work/$(basename "$file" .cpp)_64.o
        "$home/bin/nvcc" -std=c++17 $names -c -o "$object" "$file" || return 1
        objects="$objects $object"
    done
    "$home/bin/nvcc" -o "$work/blas_64" $objects -lcublas || return 1
    nm -u "$work/blas_64" | sed -n 's/.* U \(cublas[A-Za-z0-9_]*_64\).*/\1/p' | sort | diff - "$work/wide"
}
check "cuBLAS by sizes of 64 bits: each call has a test" wide_names
check "cuBLAS by sizes of 64 bits: every call against the host" passes env EVGPU_TIMING=none "$work/blas_64"
refusals="$(grep -c 'cublasSaxpy_64: n is 4294967296; evgpu.s cuBLAS has sizes of 32 bits' "$work/stdout")"
check "cuBLAS by sizes of 64 bits: the message" test "$refusals" = 1
# Calls that are refused say why: what an argument lacks, or that there is no such handle.
says() { grep -q "^evgpu: $1" "$work/stdout"; }
check "cuBLAS: a bad argument is named" says 'CUBLAS_STATUS_INVALID_VALUE: .* needs .*lda'
check "cuBLAS: no such handle" says 'CUBLAS_STATUS_NOT_INITIALIZED: cublasDestroy_v2: the handle does not exist, or no longer'

check "cuFFT: a bad argument is named" test "$fft_said" = 1

# What a library lacks is missing when a program is linked, not when it runs.
echo 'int cublasSgemvBatched(void); int main(void) { return cublasSgemvBatched(); }' >"$work/absent.c"
lacks() {
    ! "$home/bin/nvcc" -o "$work/absent" "$work/absent.c" -lcublas 2>"$work/message" && grep -q "undefined reference to .cublasSgemvBatched" "$work/message"
}
check "what cuBLAS lacks is an unresolved symbol" lacks
cat >"$work/halves.c" <<'end'
#include <cublas_v2.h>
int main(int argc, char **argv)
{
    const __half *x = (void *)argv; /* C has pointers to halves */
    return cublasHgemm(0, CUBLAS_OP_N, CUBLAS_OP_N, argc, 1, 1, x, x, 1, x, 1, x, 0, 1) != CUBLAS_STATUS_NOT_INITIALIZED;
}
end
in_c() { gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -isystem "$home/include" -o "$work/halves" "$work/halves.c" -L"$home/lib64" -Wl,-rpath,"$home/lib64" -lcublas && limited "$work/halves"; }
check "cuBLAS's halves in C" in_c
both() { # cublas.h and cublas_v2.h: names are those of the second interface, in the only order that is possible
    printf '#include <%s.h>\n' cublas cublas_v2 >"$work/both.c"
    echo 'int main(void) { return cublasSetStream(0, 0) + cublasSscal(0, 1, 0, 0, 1); }' >>"$work/both.c"
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -isystem "$home/include" "$work/both.c" || return 1
    printf '#include <%s.h>\n' cublas_v2 cublas >"$work/both.c"
    ! gcc -fsyntax-only -I"$home/include" "$work/both.c" 2>"$work/message" && grep -q "include cublas.h before it" "$work/message"
}
check "cuBLAS's two interfaces in one file" both
exported() { # the declared calls and nothing else
    nm -D --defined-only "$home/lib64/$1" | awk '{ print $3 }' | sort >"$work/exported"
    for header in $2; do g++ -x c++ -E -P -I"$home/include" "$home/include/$header"; done |
        grep -oE "\<$3[A-Za-z0-9_]* ?\(([^*]|\$)" | sed 's/ *(.*//' | sort -u >"$work/declared"
    [ "$(wc -l <"$work/declared")" -ge "$4" ] && diff "$work/declared" "$work/exported"
}
check "cuBLAS exports what its header declares" exported libcublas.so "cublas.h cublasXt.h" cublas 400
check "cuBLASLt exports what its header declares" exported libcublasLt.so cublasLt.h cublasLt 34
check "cuFFT exports what its header declares" exported libcufft.so cufftXt.h cufft 32
check "cuRAND exports what its header declares" exported libcurand.so curand.h curand 22
check "cuSOLVER exports what its header declares" exported libcusolver.so "cusolverDn.h cusolverRf.h cusolverSp_LOWLEVEL_PREVIEW.h" cusolver 280
check "NVML exports what its header declares" exported libnvidia-ml.so nvml.h nvml 65
check "nvJitLink exports what its header declares" exported libnvJitLink.so nvJitLink.h nvJitLink 13
check "nvPTXCompiler exports what its header declares" exported libnvptxcompiler.so nvPTXCompiler.h nvPTXCompiler 10
check "cuSPARSE exports what its header declares" exported libcusparse.so cusparse.h cusparse 150
finish
