# Programs in the style of benchmark suites and sample collections (tests/cuda/programs), built by their
# own makefiles with the toolkit, started by themselves, with and without time of their kernels. Each checks
# itself and ends with PASSED.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null || ! command -v g++ >/dev/null; then
    skip "cuda programs: clang++-14 and g++ are needed"
    finish
fi
home=$("$evgpu" cuda-home)
# Some makefiles link by g++, which writes no search path into the program.
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model' LD_LIBRARY_PATH=$home/lib64
cp -r tests/cuda/programs "$work/programs"

build() { # build NAME: by its makefile, which knows no more of us than the toolkit's folder
    make -s -C "$work/programs/$1" CUDA_DIR="$home"
}
start() { # start NAME PROGRAM
    (cd "$work/programs/$1" && limited "./$2" >output 2>errors) ||
        { cat "$work/programs/$1/output" "$work/programs/$1/errors"; return 1; }
    tail -n 1 "$work/programs/$1/output" | grep -q 'PASSED$'
}
untimed() { # untimed NAME PROGRAM: query launches nothing
    EVGPU_TIMING=none start "$1" "$2" || return 1
    [ "$1" = query ] || grep -q '^evgpu: [0-9]* of [0-9]* kernel launches were not timed; ' \
        "$work/programs/$1/errors"
}

for folder in "$work"/programs/*/; do
    name=$(basename "$folder")
    [ -e "$folder/Makefile" ] || continue
    program=$name
    case $name in
    btree) program=b+tree.out ;;
    halves) program='halves halves_70' ;;
    library) program='library opened' ;;
    separate) program='separate separate_dlink' ;;
    unnamed) program='unnamed unnamed_linked' ;;
    variables) program='variables variables_two' ;;
    esac
    check "$name is built" build "$name"
    for each in $program; do
        check "$each runs" start "$name" "$each"
        check "$each runs, not timed" untimed "$name" "$each"
    done
done
# min and max of halves are of sm_80; those of NaNs have no other form.
without_limits() {
    "$home/bin/nvcc" -arch=sm_70 -ptx -o "$work/halves.ptx" -Itests/cuda/programs/common \
        tests/cuda/programs/halves/halves.cu && ! grep -E '(min|max)\.f16' "$work/halves.ptx"
}
check "halves have no instruction of sm_80 before" without_limits
prints() {
    grep -qx "$2" "$work/programs/$1/output" || { cat "$work/programs/$1/output"; return 1; }
}
check "printf of a kernel" prints intrinsics 'block 1 of 2: text  2.50 x 1099511627776 %'

quiet() { # the profile and what was not timed, unless the program's user wants neither
    EVGPU_FLAGS="$EVGPU_FLAGS --no-profile" EVGPU_TIMING=none start variables variables &&
        [ ! -s "$work/programs/variables/errors" ]
}
check "--no-profile: a program alone speaks" quiet

ordered() {
    EVGPU_FLAGS='--check races' start mbarrier mbarrier &&
        grep -q 'check: 0 places, 0 times' "$work/programs/mbarrier/errors"
}
check "mbarrier orders what --check races sees" ordered

if command -v cmake >/dev/null; then
    cmake_language() {
        cmake -S "$work/programs/cmake" -B "$work/language" -DCMAKE_CUDA_COMPILER="$home/bin/nvcc" &&
            cmake --build "$work/language" && env -u LD_LIBRARY_PATH "$work/language/program"
    }
    static_runtime() { # needs no search path, as NVIDIA's
        env -u LD_LIBRARY_PATH "$work/language/plain" &&
            readelf -d "$work/language/plain" | grep -q "NEEDED.*\[$home/lib.*/libcudart_place.so\]"
    }
    cmake_libraries() { # by target, with a search path of CMake's; by name, with its place
        env -u LD_LIBRARY_PATH "$work/language/libraries" &&
            readelf -d "$work/language/libraries" | grep -q "NEEDED.*\[$home/lib.*/libnvidia-ml_place.so\]"
    }
    cmake_module() {
        cmake -S "$work/programs/cmake/module" -B "$work/module" -DCUDA_TOOLKIT_ROOT_DIR="$home" &&
            cmake --build "$work/module" && "$work/module/program"
    }
    check "CMake's CUDA language" cmake_language
    check "... with the static runtime, which is its default" static_runtime
    check "... with other libraries, without a search path" cmake_libraries
    check "CMake's FindCUDA" cmake_module
else
    skip "cuda programs: cmake is not installed"
fi
finish
