# The compiler driver by itself: its options, what it refuses, what it puts into objects.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "nvcc: clang++-14 is needed"
    finish
fi
home=$("$evgpu" cuda-home)
nvcc=$home/bin/nvcc
# It leaves its memory to the end of the process.

cat >"$work/k.cu" <<'CUDA'
#ifdef LIBRARY
#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <vector>
#endif
#ifdef WITH_LINE
__device__ int line = WITH_LINE;
#endif
template <class T> __global__ void kernel(T *p, float x)
{
    const unsigned char narrowed[] = {threadIdx.x}; // C++11 does not allow it, nvcc does
    p[threadIdx.x] = x * p[threadIdx.x] + max(1, (int)narrowed[0]) / x;
}
int host(float *p)
{
    kernel<float><<<1, 32>>>(p, 2.0f);
    return max(1, 2) + min(3u, 4u) + (int)rsqrtf(1.0f);
}
CUDA
cat >"$work/dynamic.cu" <<'CUDA'
__global__ void child(int *p) { *p = 1; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
CUDA
echo 'int plain(void) { return sizeof(int); }' >"$work/plain.c"
echo '#error this line' >"$work/error.cu"
echo "#define WITH_LINE 5" >"$work/define.h"

ptx_has() { # ptx_has TEXT OPTION...: the PTX made with the options has the text
    has=$1
    shift
    case " $* " in *" -cubin "*) ;; *) set -- -ptx "$@" ;; esac
    "$nvcc" "$@" "$work/k.cu" -o "$work/k.ptx" && grep -qF -- "$has" "$work/k.ptx"
}
ptx_lacks() {
    lacks=$1
    shift
    "$nvcc" -ptx "$@" "$work/k.cu" -o "$work/k.ptx" && ! grep -qF -- "$lacks" "$work/k.ptx"
}
object() { # object FILE OPTION...: the command makes an object with code for x86-64
    made=$1
    shift
    rm -f "$made"
    "$nvcc" "$@" && readelf -h "$made" | grep -q X86-64
}
in_work() {
    (cd "$work" && "$@")
}

check "--version" sh -c "'$nvcc' --version | grep -qE 'release [0-9]+\.[0-9]+, V[0-9.]+$'"
check "--help names architectures" sh -c "'$nvcc' --help | grep -q 'compute_70' && '$nvcc' --help | grep -q 'sm_35,'"
check "--help lists" sh -c "'$nvcc' --help | grep -q -- '-maxrregcount'"
check "unknown option" fails_with 1 "Unknown option '-frobnicate'" "$nvcc" -frobnicate "$work/k.cu"
check "-Wall is gcc's" fails_with 1 "Unknown option '-Wall'" "$nvcc" -Wall "$work/k.cu"
check "-optix-ir" fails_with 1 "Option '-optix-ir'" "$nvcc" -optix-ir "$work/k.cu"
check "no input" fails_with 1 "No input files" "$nvcc" -O2
check "missing value" fails_with 1 "A value is missing after option '-o'" "$nvcc" "$work/k.cu" -o
check "bad architecture" fails_with 1 "Value 'sm_x' is not defined" "$nvcc" -arch=sm_x "$work/k.cu"
check "bad registers" fails_with 1 "maxrregcount" "$nvcc" -maxrregcount=-1 "$work/k.cu"
check "bad number of threads" fails_with 1 "'threads' is '-5': must be a whole number, 0 or more" "$nvcc" --threads -5 "$work/k.cu"
check "32 bits" fails_with 1 "64-bit" "$nvcc" -m32 "$work/k.cu"
check "-Xptxas unknown" fails_with 1 "Unknown option '--frob' in -Xptxas" "$nvcc" -Xptxas --frob "$work/k.cu"
check "odd file" fails_with 1 "Don't know what to do with" "$nvcc" -c "$work/k.odd"
check "one output, two sources" fails_with 1 "single input file" "$nvcc" -c "$work/k.cu" "$work/plain.c" -o x.o
check "two phases" fails_with 1 "More than one compilation phase" "$nvcc" -c -ptx "$work/k.cu"
check "no such clang" fails_with 127 "cannot run no-clang" env EVGPU_CLANG=no-clang "$nvcc" -c "$work/k.cu"
dynamic() {
    "$nvcc" -c "$work/dynamic.cu" -o "$work/dynamic.o" 2>"$work/message" && return 1
    grep -qF 'dynamic.cu:2:' "$work/message" && grep -qF 'a kernel is launched in device code: this needs -rdc=true' "$work/message" &&
        [ "$(grep -c 'error: ' "$work/message")" -eq 1 ]
}
check "dynamic parallelism without -rdc=true" dynamic
status_of_clang() {
    "$nvcc" -c "$work/error.cu" -o "$work/error.o" 2>"$work/message"
    [ $? -ne 0 ] && [ "$(grep -c 'this line' "$work/message")" -ge 1 ] && [ ! -e "$work/error.o" ]
}
check "an error stops" status_of_clang

check "default target" ptx_has '.target sm_52'
check "-arch" ptx_has '.target sm_35' -arch=sm_35
check "-arch VALUE" ptx_has '.target sm_60' -arch compute_60
check "--gpu-architecture --gpu-code" ptx_has '.target sm_35' --gpu-architecture=compute_35 --gpu-code=sm_35,compute_35
check "the best of -gencode" ptx_has '.target sm_70' -gencode arch=compute_35,code=sm_35 \
    -gencode=arch=compute_70,code=\"sm_70,compute_70\" -gencode arch=compute_80,code=sm_80
check "old architectures" ptx_has '.target sm_30' -arch sm_13 -w
check "-maxrregcount" ptx_has '.maxnreg 32' -maxrregcount 32
no_limit() {
    "$nvcc" -ptx -maxrregcount=0 "$work/k.cu" -o "$work/free.ptx" && ! grep -q '.maxnreg' "$work/free.ptx"
}
check "-maxrregcount=0, no limit" no_limit
check "-Xptxas, both forms of a name" ptx_has 'ld.global' -Xptxas -Werror -Xptxas --preserve-relocs -Xptxas -preserve-relocs,--allow-expensive-optimizations=true
check "-Xptxas -dlcm=cg" ptx_has 'ld.global.cg' -Xptxas -dlcm=cg,-v
echo '__global__ void k(int *p) { asm("ld.global.cg.s32 %0, [%1];" : "=r"(p[1]) : "l"(p)); }' >"$work/cached.cu"
check "... beside a load that names its cache" sh -c "cd '$work' && '$nvcc' -ptx -Xptxas -dlcm=cg cached.cu && grep -q 'ld.global.cg.s32' cached.ptx"
# As Boost's <boost/config.hpp> does on a host that has quadmath.h.
mkdir -p "$work/boost/boost/config/detail"
printf '#ifdef BOOST_HAS_FLOAT128\ntypedef __float128 wide;\n#endif\n' >"$work/boost/boost/config/detail/suffix.hpp"
printf '#define BOOST_HAS_FLOAT128\n#include <boost/config/detail/suffix.hpp>\n__global__ void k(int *p) { *p = 1; }\n#ifdef BOOST_HAS_FLOAT128\nint main() { return sizeof(wide) != 16; }\n#endif\n' >"$work/wide.cu"
check "Boost's __float128 on the host alone" sh -c "cd '$work' && CPLUS_INCLUDE_PATH=boost '$nvcc' wide.cu -o wide && ./wide && '$nvcc' -I boost wide.cu -o wide && ./wide"
printf '#include <x86intrin.h>\n%s\nint main() { return __rdtsc() == 7 ? 0 : 1; }\n' "static inline unsigned long __rdtsc() { return 7; }" >"$work/clock.cu"
check "a program's own __rdtsc" sh -c "cd '$work' && '$nvcc' clock.cu -o clock && ./clock"
printf '#include <x86intrin.h>\nint main() { unsigned long long t = __rdtsc(); return _rdtsc() < t; }\n' >"$work/clock.cu"
check "... and clang's" sh -c "cd '$work' && '$nvcc' clock.cu -o clock && ./clock"
printf '#include <cublas_v2.h>\n%s\n' 'bool same(const char *a) { return !strcmp(a, "a") && std::is_same<int, decltype(std::move(1))>::value; }' >"$work/texts.cpp"
check "cublas_v2.h brings <cstring> and <utility> to C++" in_work "$nvcc" -c texts.cpp
places() { # as a makefile's script writes them into a project's headers
    for each in cuda_runtime.h cuda.h cublas_v2.h cuda_fp16.h crt/host_config.h crt/math_functions.h; do
        printf '#include "%s/include/%s"\n' "$home" "$each" | g++ -fsyntax-only -xc++ - || return 1
    done
}
check "headers by their full path, without -I" places
eleven() { # without what g++ has beside the standard
    printf '#include <%s>\n' cuda_fp8.h cuda_bf16.h cublasLt.h cusparse.h cusolverDn.h cufftXt.h curand.h nvrtc.h cuda.h |
        g++ -std=c++11 -fsyntax-only "-I$home/include" -xc++ -
}
check "headers in C++11" eleven
printf '#include <cublas_v2.h>\n#include <nvrtc.h>\n#if !defined(CUBLAS_V2_H_) || !defined(__NVRTC_H__)\n#error guards\n#endif\n' >"$work/guards.cu"
check "names by which programs ask for a header" "$nvcc" -c "$work/guards.cu" -o "$work/guards.o"
commas() { # as CMake and make write a list that is one macro
    echo '__global__ void k(int *p) { const int a[] = {LIST}; *p = a[2] + sizeof a; }' >"$work/list.cu"
    "$nvcc" -ptx '-DLIST=1\,2\,300' -o "$work/list.ptx" "$work/list.cu" && grep -q '312' "$work/list.ptx"
}
check "-D with commas" commas
check "an option behind a blank, as a makefile's \\ leaves it" ptx_has 'line = 9' ' -DWITH_LINE=9' '  --compiler-options=-O2 -pipe'
check "macros of -Xcompiler" ptx_has 'line = 77' -Xcompiler -DWITH_LINE=77
check "... whose names stand apart" ptx_has 'line = 77' -Xcompiler "-D WITH_LINE=77 -U X -I ."
check "-D and -U" ptx_lacks 'line = ' -DWITH_LINE=1 -UWITH_LINE
check "-include" ptx_has 'line = 5' -include "$work/define.h" -D NOTHING
echo '__device__ inline int five() { return 5; }' >"$work/five.h"
check "-include of device code" ptx_has '.visible .entry' -include "$work/five.h"
check "contraction" ptx_has 'fma.rn.f32'
check "-fmad=false" ptx_lacks 'fma.rn.f32 ' -fmad=false -prec-div=true
clusters() { # of one block they are there
    cat >"$work/cluster.cu" <<'end'
template <int N> __global__ void __cluster_dims__(N) of(int *p) { *p = N; }
__global__ void __cluster_dims__(1, BLOCKS, 1) k(int *p) { *p = 1; }
int main() { k<<<2, 1>>>(0); of<SIZE><<<2, 1>>>(0); }
end
    "$nvcc" -DBLOCKS=1 -DSIZE=1 -c -o "$work/cluster.o" "$work/cluster.cu" || return 1
    for sizes in "2 1" "1 2"; do
        ! "$nvcc" -DBLOCKS=${sizes% *} -DSIZE=${sizes#* } -c -o "$work/cluster.o" "$work/cluster.cu" 2>"$work/message" &&
            grep -q 'cluster.cu:3:.*: error: evgpu has no clusters of several blocks' "$work/message" || { cat "$work/message"; return 1; }
    done
}
check "a cluster of several blocks is refused" clusters
check "division" ptx_has 'div.rn.f32'
check "-prec-div=false" ptx_lacks 'div.rn.f32' -prec-div=false
check "-use_fast_math" ptx_has '.ftz.f32' -use_fast_math
check "source lines" ptx_has '.loc' -lineinfo

check "-cubin is PTX" ptx_has '.target sm_60' -cubin -arch=sm_60
check "-ewp" ptx_has '.target sm_60' -ewp -arch=sm_60
check "libraries of g++'s own links" in_work g++ plain.c -shared -fPIC -o plain.so -L"$home/lib64/stubs" -lcuda -lnvrtc -lcublas -lcublasLt -lcufft -lcurand -lcusolver -lcusparse

# A folder of an older build, whose stubs were links to the libraries: make writes new ones, and not through the links.
rebuilt() {
    stubs=$work/older/cuda/lib64/stubs old=
    mkdir -p "$work/older" && cp -a "$home" "$work/older/cuda" || return 1
    for library in "$work"/older/cuda/lib64/lib*.so; do
        name=${library##*/}
        old="$old -o $library"
        case $name in *_place.so) continue ;; esac
        old="$old -o $stubs/${name%.so}_place.so"
        ln -sf "../$name" "$stubs/$name"
    done
    before=$(cat "$work"/older/cuda/lib64/*.so | cksum)
    rm "$stubs/.names"
    env -u MAKEFLAGS -u MFLAGS make -s BUILD="$work/older" $old -o "$work/older/cuda/.headers" "$stubs/.names" || return 1
    [ "$(cat "$work"/older/cuda/lib64/*.so | cksum)" = "$before" ] || { echo "a library was written"; return 1; }
    for library in "$work"/older/cuda/lib64/lib*.so; do
        name=$(basename "$library" .so)
        case $name in *_place) continue ;; esac
        [ ! -h "$stubs/$name.so" ] && [ "$(cat "$stubs/$name.so")" = "INPUT(${name}_place.so)" ] || { echo "$name is an old stub"; return 1; }
    done
    g++ "$work/plain.c" -shared -fPIC -o "$work/plain.so" -L"$stubs" -Wl,--no-as-needed -lcuda -lcublas &&
        readelf -d "$work/plain.so" | grep -q "$stubs/libcublas_place.so"
}
if [ -e Makefile ]; then
    check "stubs of an older build are replaced" rebuilt
else
    skip "stubs of an older build are replaced: there is no source tree"
fi

check "-c" object "$work/k.o" -O3 -c "$work/k.cu" -o "$work/k.o"
check "default name, -odir" object "$work/k.o" -c -odir "$work" "$work/k.cu"
check "-dlink beside -c" object "$work/k.o" -rdc=true -dlink -c "$work/k.cu" -o "$work/k.o"
check "... in either order" object "$work/k.o" -rdc=true -c -dlink "$work/k.cu" -o "$work/k.o"
check "C" object "$work/plain.o" -c "$work/plain.c" -o "$work/plain.o" -Xcompiler -std=c99,-Wextra
check "-x cu" object "$work/x.o" -x cu -c "$work/plain.c" -o "$work/x.o"
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n' >"$work/late.cpp"
check "-x cu behind the file" in_work "$nvcc" late.cpp -lcublas -x cu -o late
check "every flag of the host" object "$work/k.o" -g -G -pg -Xcompiler "-fPIC -Wall" --compiler-options -O1 -std=c++17 \
    -c "$work/k.cu" -o "$work/k.o" -m64 --expt-relaxed-constexpr --extended-lambda -rdc=false -Werror all-warnings
for std in c++03 c++11 c++17 c++20; do
    check "-std=$std" object "$work/k.o" -std=$std -DLIBRARY -c "$work/k.cu" -o "$work/k.o"
done
printf -- '-c\n-DWITH_LINE="3"\n' >"$work/options"
check "options file" object "$work/k.o" @"$work/options" --options-file "$work/options" "$work/k.cu" -o "$work/k.o"
printf -- '-DA @%s\n' "$work/itself" >"$work/itself"
check "options file that names itself" fails_with 1 "itself is the 20th inside another: does it name itself" \
    "$nvcc" --options-file "$work/itself" "$work/k.cu"
check "bad architecture: none" fails_with 1 "Value '' is not defined" "$nvcc" -arch= "$work/k.cu"
check "unknown options of gcc" object "$work/k.o" -forward-unknown-to-host-compiler -fno-strict-aliasing -c "$work/k.cu" -o "$work/k.o"
check "-lib" sh -c "'$nvcc' -lib '$work/k.cu' '$work/plain.o' -o '$work/lib.a' && ar t '$work/lib.a' | grep -q plain.o"
check "-E" sh -c "'$nvcc' -E '$work/k.cu' | grep -q 'void kernel'"
check "-M" sh -c "'$nvcc' -M '$work/k.cu' | grep -q 'k\.o: .*k\.cu'"
check "-MM names no header of ours" sh -c "! '$nvcc' -MM '$work/k.cu' | grep -q cuda_runtime"
check "-MD" sh -c "'$nvcc' -MD -MT target -MF '$work/k.d' -c '$work/k.cu' -o '$work/k.o' && grep -q '^target:' '$work/k.d'"
check "--dryrun makes nothing" sh -c "'$nvcc' --dryrun '$work/k.cu' -o '$work/none' 2>&1 | grep -q '#[$] g++' && [ ! -e '$work/none' ]"
check "-keep" in_work sh -c "'$nvcc' -keep -c k.cu -o kept.o && [ -s k.ptx ]"
tidy() {
    mkdir -p "$work/tmp"
    TMPDIR=$work/tmp "$nvcc" -c "$work/k.cu" -o "$work/k.o"
    TMPDIR=$work/tmp "$nvcc" -c "$work/error.cu" -o "$work/error.o"
    TMPDIR=$work/tmp "$nvcc" -c "$work/error.cu" -o "$work/error.o" 2>&1 | :
    [ -z "$(ls "$work/tmp")" ]
}
check "no temporary file stays" tidy
installed() {
    make -s install DEPS=0 SAN="${EVGPU_SAN:-0}" BUILD="$build" PREFIX="$work/prefix" >/dev/null && [ "$("$work/prefix/bin/evgpu" cuda-home)" = "$work/prefix/lib/evgpu/cuda" ] &&
        object "$work/k.o" -c "$work/k.cu" -o "$work/k.o"
}
nvcc=$work/prefix/lib/evgpu/cuda/bin/nvcc check "make install" installed
served() { # A service finds its kernel there, from any folder.
    (cd "$work" && prefix/bin/evgpu run --service ipv6,packets=64,route-count=1000 --background 0 --tiles model)
}
check "... with the kernels of services" served

# What nvcc's own front end takes, in a source and in its headers; lines and columns stay.
cat >"$work/launch.h" <<'CUDA'
template <class T> void start(T *p) { mark<T> << < dim3(1), 32, (1 >> 2) >> > (p, "a << < b >> > c"); }
CUDA
cat >"$work/spaced.cu" <<'CUDA'
#define WORLD "w"
template <class T> __global__ void mark(T *p, const char *) { assert(p); p[threadIdx.x] = threadIdx.x; }
template <class A, class B> struct pair2 {};
pair2<int, pair2<int, pair2<int, int>> > nested; // << < 1, 2 >> >
#include "launch.h"
int main()
{
    int *p, h[32], shifted = 1 << 3 >> 1;
    if (cudaMalloc(&p, sizeof h))
        return 1;
    start(p);
    mark < int > << < 1, 32
        >> > (p, "n="WORLD"\n");
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    clock_t now = clock();
    return time(0) == 0 || now < 0 || strlen("four") != shifted || abs(h[31]) != 31 || INT_MAX < 0 ||
           std::move(h[5]) != 5 || fprintf(stdout, "four") != shifted;
}
CUDA
runs() { # runs PROGRAM...: on a small machine, without a search path
    limited env -u LD_LIBRARY_PATH EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile' "$@"
}
spaced() {
    in_work "$nvcc" "$@" spaced.cu -o spaced 2>"$work/message" && grep -q "spaced.cu:13:.*warning: invalid suffix on literal" "$work/message"
}
check "launches with spaces, literals without" spaced
check "... with other headers' folders" spaced -I /tmp -I. -std=c++14
check "... is not undone by -keep" in_work sh -c "cp spaced.cu before && '$nvcc' -w -keep -c spaced.cu -o spaced.o && cmp spaced.cu before"
wrong_line() { # an error behind it is where it was
    sed 's/return time/return nothing/' "$work/spaced.cu" >"$work/wrong.cu"
    ! in_work "$nvcc" -c wrong.cu 2>"$work/message" && grep -q '^wrong.cu:16:12: error' "$work/message"
}
check "... and errors keep their places" wrong_line

# Options for the tools behind, and other compilers by -ccbin.
check "-Xcompiler -Wl reaches the linker" in_work sh -c "'$nvcc' -w -Xcompiler -Wall,-Wl,-rpath,/nowhere spaced.cu plain.c -o linked && readelf -d linked | grep -q '/nowhere'"
check "-Xcompiler -Wa, -Wp, -W of gcc" in_work "$nvcc" -w -Xcompiler -Wa,--noexecstack -Xcompiler -Wp,-DX=1 -Xcompiler -Wlogical-op \
    -Xcompiler -Wno-maybe-uninitialized -c spaced.cu plain.c
check "-Xcompiler -Wall,-Wextra warns of C" in_work sh -c "echo 'int f(int x) { return 1; }' >unused.c && '$nvcc' -Xcompiler -Wall,-Wextra -c unused.c 2>&1 | grep -q 'unused parameter'"
check "options for tools that are not there" in_work "$nvcc" -w -dlto -rdc=true -Xfatbin -compress-all -compress-mode=size \
    -Xnvlink --suppress-stack-size-warning --jump-table-density 10 --fdevice-time-trace trace.json spaced.cu -o spaced
check "-ccbin g++ -rdc=true" in_work "$nvcc" -w -ccbin g++ -rdc=true spaced.cu -o spaced
echo 'int *plain_c(void *p) { return p; }' >"$work/c_only.c"
check "-ccbin g++ compiles C as C" in_work "$nvcc" -ccbin g++ -c c_only.c
stages() {
    in_work "$nvcc" -w -cuda spaced.cu && in_work g++ -c spaced.cu.cpp.ii -o staged.o && in_work g++ staged.o -o staged -L"$home/lib64" -lcudart
}
check "-cuda, then g++" stages
check "... runs" runs LD_LIBRARY_PATH="$home/lib64" "$work/staged"
check "... runs under the command without a search path" runs "$evgpu" run --config gtx480.ini --tiles model --no-profile --program "$work/staged"
check "launches with spaces run" runs "$work/spaced"

# As in the command for the linker that NVIDIA's nvcc makes, objects and libraries stand in one group.
archives() { # two archives, each of which wants the other one
    echo 'int second(int x) { return x + 1; } int third(int x) { return x * 5; }' >"$work/second.c"
    echo 'int third(int); int first(int x) { return third(x) - 4; }' >"$work/first.c"
    echo 'int first(int); int second(int); int last(int x) { return second(first(x)); }' >"$work/last.c"
    echo 'extern "C" int last(int); int main() { return last(1) - 2; }' >"$work/order.cu"
    in_work "$nvcc" -lib last.c second.c -o libouter.a && in_work "$nvcc" -lib first.c -o libinner.a &&
        in_work "$nvcc" -L. -linner -louter -lcublas order.cu -o order && "$work/order"
}
check "libraries in front of their users, in any order" archives

# A macro that stands for a pragma, of the source and of a header: one loop stays, the other one goes.
pragma_macros() {
    mkdir -p "$work/loops" && printf '#define KEPT\t# pragma  unroll 1 // as it is\n' >"$work/loops/kept.cuh"
    printf '%s\n' '#include <kept.cuh>' '#define UNROLL #pragma unroll' '__global__ void k(int *p) {' 'int s = 0;' "$1" \
        'for (int i = 0; i < 8; i++) s += p[i * i];' '*p = s; }' >"$work/loop.cu"
    in_work "$nvcc" -Iloops -ptx loop.cu -o loop.ptx && [ "$(grep -c 'bra' "$work/loop.ptx")" "$2" 0 ]
}
check "a macro that is a pragma" pragma_macros UNROLL -eq
check "... in a header" pragma_macros KEPT -gt

asks() { # what makefiles ask for the architecture: of the machine that a program gets
    [ "$(EVGPU_FLAGS="--set gpu.compute_capability=$1" limited "$home/bin/__nvcc_device_query")" = "$1" ]
}
check "__nvcc_device_query" asks 75
check "... of another machine" asks 86
smi() { # smi WANTED ARG...: what build scripts ask nvidia-smi
    want=$1
    shift
    [ "$(EVGPU_FLAGS="--set gpu.compute_capability=75" limited "$home/bin/nvidia-smi" "$@")" = "$want" ]
}
check "nvidia-smi" smi 7.5 -i 0 --query-gpu=compute_cap --format=csv,noheader,nounits
check "... with names and units" smi "index, memory.total [MiB], power.draw [W]
0, 8192 MiB, [N/A]" --query-gpu=index,memory.total,power.draw --format=csv
check "... the list of devices" smi "GPU 0: evgpu edge (UUID: GPU-65766770-7500-0000-0000-000000000000)" -L
page() { # -q for the sections of -d, again and again until nobody reads it; what comes at once is whole pages
    lines=$("$home/bin/nvidia-smi" -q -d TEMPERATURE,CLOCK | wc -l)
    timeout 20 "$home/bin/nvidia-smi" -l 1 -q -d TEMPERATURE,CLOCK 2>"$work/message" | for turn in 1 2; do
        dd bs=65536 count=1 2>/dev/null
    done | awk -v lines="$lines" '/FB Memory/ { exit 3 }
        /^        GPU Current Temp  *: N\/A$/ { warm++ } /^        SM  *: [0-9]+ MHz$/ { clock++ }
        END { exit warm < 2 || clock != warm || NR != warm * lines }'
}
check "... a page again and again" page
check "... a time that is none" fails_with 2 "must be a whole number of seconds" "$home/bin/nvidia-smi" -l soon
check "... a property that it does not know" fails_with 2 "" "$home/bin/nvidia-smi" --query-gpu=frob --format=csv
check "... a device that is not there" fails_with 6 "" "$home/bin/nvidia-smi" -i 1

# The headers of halves bring the runtime and the vectors to files that g++ compiles.
halves_bring() { # halves_bring HEADER
    printf '#include <%s>\nint main() { float2 v = make_float2(1, 2); cudaDeviceProp p; return cudaSetDevice(0) || cudaGetDeviceProperties(&p, 0) || v.y != 2; }\n' "$1" >"$work/bring.cpp"
    in_work g++ -std=c++17 -Wall -Werror "-I$home/include" -c bring.cpp -o bring.o
}
check "cuda_fp16.h brings the runtime" halves_bring cuda_fp16.h
check "cuda_bf16.h does" halves_bring cuda_bf16.h

# A file inside a program, as elements of each size.
inside() { # inside TYPE ELEMENTS: 21 bytes and two more
    printf 'event-driven GPUs \001\377\200' >"$work/bytes"
    "$home/bin/bin2c" -c -st --type "$1" --padd 7,0x9 -n bytes "$work/bytes" >"$work/bytes.h" &&
        printf '#include <string.h>\n#include "bytes.h"\nint main(void) { return memcmp(bytes, "%s", sizeof bytes) || sizeof bytes != %d; }\n' \
            'event-driven GPUs \001\377\200\007\011\000' "$2" >"$work/inside.c"
    in_work gcc -Werror -Wall inside.c -o inside && "$work/inside"
}
check "bin2c, by bytes" inside char 23
check "... by shorts" inside short 24
check "... by words" inside int 24
check "... by double words" inside longlong 24
module_inside() { # as a C++ program and a C program have it
    printf '__global__ void k() {}\n' >"$work/inner.cu"
    in_work "$nvcc" -fatbin inner.cu -o inner.fatbin && "$home/bin/bin2c" -t char "$work/inner.fatbin" >"$work/inner.c" &&
        grep -q '0x00,$' "$work/inner.c" &&
        printf '#include <cuda.h>\nextern "C" unsigned char imageBytes[];\nint main() { CUdevice d; CUcontext c; CUmodule m; return cuInit(0) || cuDeviceGet(&d, 0) || cuCtxCreate(&c, 0, d) || cuModuleLoadData(&m, imageBytes); }\n' >"$work/outer.cu"
    in_work "$nvcc" inner.c outer.cu -lcuda -o outer && limited "$work/outer"
}
check "... a module that a program loads" module_inside
check "... a type that is none" fails_with 2 "bin2c: long: --type is char, short, int or longlong" "$home/bin/bin2c" -t long "$work/bytes"
check "... a file that is not there" fails_with 2 "nowhere: No such file" "$home/bin/bin2c" nowhere

# What is not there is named in one line, with what to do.
absent() { # absent HEADER TEXT
    for end in cu cpp c; do
        echo "#include <$1>" >"$work/wants.$end"
        in_work fails_with 1 "wants.$end:1:10: error: evgpu has no $2" "$nvcc" -c "wants.$end" || return 1
    done
}
while IFS='|' read -r header text; do
    [ -e "/usr/include/$header" ] || check "no $header" absent "$header" "$text"
done <<'LIST'
CL/cl.h|OpenCL; apt-get install
hip/hip_runtime.h|HIP; build the CUDA version
nvjpeg.h|nvJPEG; build the program without it
cudnn.h|cuDNN; build the program without it
cute/tensor.hpp|CUTLASS; its headers
NvInfer.h|TensorRT; build the program without it
LIST
within_header() {
    echo '#include "wants.cu"' >"$work/outer.cu" && echo '#include <cudnn.h>' >"$work/wants.cu"
    in_work fails_with 1 "wants.cu:1:10: error: evgpu has no cuDNN" "$nvcc" -c outer.cu
}
check "... within another header" within_header
unknown() { # unknown HEADER STATEMENT TEXT
    for end in cu cpp; do
        printf '#include <%s>\nint main() { %s; nosuch(); }\n' "$1" "$2" >"$work/wants.$end"
        in_work fails_with 1 "wants.$end:2:14: error: evgpu has $3" "$nvcc" -c "wants.$end" && ! grep -q nosuch "$work/stderr" || return 1
    done
}
check "a name that a header lacks" unknown cufftXt.h 'cudaLibXtDesc *p' "one GPU and no cuFFT on several; plan by"
check "... in a call" unknown nvrtc.h 'nvrtcGetLTOIRSize(0, 0)' "no LTO-IR; take PTX"
check "a header that nobody knows" in_work sh -c "echo '#include <nosuch.h>' >none.cu; ! '$nvcc' -c none.cu 2>err && grep -q \"'nosuch.h' file not found\" err"
printf '#include <nvtx3/nvToolsExt.h>\nint main() { return nvtxRangePushA("") + nvtxRangePop(); }\n' >"$work/ranges.cu"
check "NVTX by its newer name" in_work sh -c "'$nvcc' ranges.cu -o ranges && ./ranges"
cat >"$work/domains.c" <<'C'
#include <nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
int main(void)
{
    nvtxDomainHandle_t domain = nvtxDomainCreateA("domain");
    nvtxEventAttributes_t range = {.version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};
    range.payloadType = NVTX_PAYLOAD_TYPE_INT32, range.payload.iValue = 1;
    range.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    range.message.registered = nvtxDomainRegisterStringA(domain, "range");
    nvtxNameCudaStreamA((cudaStream_t)0, "stream");
    nvtxNameCuContext((CUcontext)0, "context");
    nvtxNameCategory(3, "category");
    nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &range));
    int none = nvtxDomainRangePushEx(domain, &range) != nvtxDomainRangePop(domain);
    return none + nvtxRangePushW(L"wide") + nvtxRangePushA("") - 1 + nvtxRangePop() - 1 + nvtxRangePop();
}
C
cat >"$work/payload.cu" <<'CUDA'
#include <nvtx3/nvToolsExt.h>
nvtxEventAttributes_v2::payload_t value;
nvtxColorType_t color = NVTX_COLOR_ARGB;
nvtxMessageType_t message = NVTX_MESSAGE_TYPE_ASCII;
int main() { return nvtxPayloadType_t(NVTX_PAYLOAD_TYPE_FLOAT) != 6 || sizeof value != 8 || color != 1 || message != 1; }
CUDA
check "NVTX's types, which CUB names" in_work sh -c "'$nvcc' payload.cu -o payload && ./payload"
check "NVTX's domains, names and wide texts" in_work sh -c "'$nvcc' -Xcompiler -Wall,-Wextra,-Werror domains.c -o domains && ./domains"
echo '__managed__ int (one); int main() { return 0; }' >"$work/odd_managed.cu"
check "a managed variable in brackets" in_work fails_with 1 \
    "odd_managed.cu:1:1: error: the declaration of a __managed__ variable is not understood" "$nvcc" -c odd_managed.cu
check "... has dependencies all the same" in_work sh -c "'$nvcc' -M odd_managed.cu | grep -q '^odd_managed.o:'"
check "no -lcufftw" in_work fails_with 1 "-lcufftw: evgpu has no FFTW interface" "$nvcc" plain.o spaced.o -lcufftw -o none

# A copy of the build is a build of its own: its compiler, its libraries, its simulator.
copied() {
    mkdir "$work/copy" && cp -r "$home" "$work/copy/cuda" && cp "$evgpu" "$work/copy/evgpu" && mv "$work/copy" "$work/moved" || return 1
    [ "$("$work/moved/evgpu" cuda-home)" = "$(realpath "$work/moved/cuda")" ] || { echo "another cuda-home"; return 1; }
    in_work moved/cuda/bin/nvcc -w spaced.cu -o from_copy && ldd "$work/from_copy" >"$work/ldd" || return 1
    [ "$(grep -c "$work/moved/cuda/lib64/libcud" "$work/ldd")" -eq 2 ] && ! grep -qF "$(realpath "$home")" "$work/ldd" || { cat "$work/ldd"; return 1; }
    ! readelf -d "$home/lib64/libcudart.so" "$home/lib64/libcuda.so" | grep SONAME | grep /
}
check "a copied build" copied
own_simulator() { # the copy's simulator is a script that says so
    printf '#!/bin/sh\necho the copy >&2\nexit 1\n' >"$work/moved/evgpu"
    runs "$work/from_copy" 2>&1 | grep -qx 'the copy'
}
check "... starts its own simulator" own_simulator

# Programs link with libcudart alone; libcuda, which it needs, comes behind the C library.
cat >"$work/clock.c" <<'C'
#include <stdio.h>
#include <time.h>
#include <cuda_runtime_api.h>
int main(void)
{
    struct timespec t;
    if (cudaFree(0) || clock_gettime(CLOCK_MONOTONIC, &t))
        return 1;
    printf("%d s\n", (int)t.tv_sec); /* real: since the machine was started, or earlier */
    return 0;
}
C
clock_of() { # clock_of VALUE TEXT
    "$nvcc" "$work/clock.c" -o "$work/clock" &&
        limited env EVGPU_CLOCK=$1 EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model' "$work/clock" >"$work/clock.txt" 2>&1 &&
        grep -q "$2" "$work/clock.txt" || { cat "$work/clock.txt"; return 1; }
}
check "simulated clocks" clock_of simulated '^0 s'
check "a clock that does not exist" clock_of sundial 'EVGPU_CLOCK=sundial: must be simulated or real'

cat >"$work/undefined.cu" <<'CUDA'
extern __device__ int missing(int);
__global__ void caller(int *p) { *p = missing(*p); }
CUDA
# Files of one name, and a file with other macros, are units of their own.
mkdir -p "$work/one" "$work/two"
cat >"$work/one/unit.cu" <<'CUDA'
#define RUN_(name) int run_##name()
#define RUN(name) RUN_(name)
static __device__ int value;
static __global__ void set() { value = NAME + 1; }
RUN(NAME)
{
    int got = 0;
    set<<<1, 1>>>();
    cudaMemcpyFromSymbol(&got, value, sizeof got);
    return got == NAME + 1;
}
CUDA
cp "$work/one/unit.cu" "$work/two"
printf 'int run_1(), run_2(), run_3();\nint main() { return run_1() && run_2() && run_3() ? 0 : 1; }\n' >"$work/units.cpp"
units() {
    (cd "$work/one" && "$nvcc" -dc -DNAME=1 unit.cu && "$nvcc" -dc -Xcompiler "-D NAME=2" unit.cu -o second.o) &&
        (cd "$work/two" && "$nvcc" -dc -DNAME=3 unit.cu && "$nvcc" -rdc=true -DNAME=4 -cuda unit.cu -o fourth.ii) &&
        in_work "$nvcc" units.cpp one/unit.o one/second.o two/unit.o -o units && in_work limited ./units &&
        ! grep -q "$(nm "$work/two/unit.o" | grep -o '__fatbinwrap__nv_.*')" "$work/two/fourth.ii"
}
check "two sources of one name, one source with two macros" units
# The value of a variable that is nowhere in memory, which clang writes into a comment, zeros and all.
cat >"$work/debug.cu" <<'CUDA'
#include <cstdio>
static __device__ int word;
__global__ void add() { word++; }
__attribute__((noinline)) int show(float f) { return printf("%g\n", f); }
int main()
{
    float seven = 7, half = 0.5f;
    add<<<1, 1>>>();
    return show(seven + half) != 4;
}
CUDA
debug() {
    in_work "$nvcc" -g -O3 -rdc=true debug.cu -o debug >"$work/message" 2>&1 && [ ! -s "$work/message" ] && in_work limited ./debug
}
check "-g -rdc=true and a static variable" debug
echo '__device__ int twice(int x) { return 2 * x; }' >"$work/twice.cu"
cp "$work/twice.cu" "$work/again.cu"
undefined() {
    in_work "$nvcc" -dc undefined.cu twice.cu again.cu && in_work fails_with 1 "Undefined reference to '_Z7missingi' in 'undefined.o'" \
        "$nvcc" -dlink undefined.o -o link.o
}
check "undefined device function" undefined
check "device function defined twice" in_work fails_with 1 "Multiple definition of '_Z5twicei' in 'again.o', first defined in 'twice.o'" \
    "$nvcc" -dlink twice.o again.o -o link.o
finish
