# GPU programs in Python, by numba and by PyCUDA (make pypi): results against numpy's.
. tests/e2e/lib.sh.inc

python=$build/pypi/bin/python
home=$("$evgpu" cuda-home)
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --no-profile' LD_LIBRARY_PATH=$home/lib64 TMPDIR=$work
has() { # has MODULE
    [ -x "$python" ] && "$python" -c "import $1" 2>/dev/null
}
passes() { # passes NAME: under its own simulator
    limited "$python" "tests/cuda/python/$1.py" >"$work/stdout" 2>"$work/stderr" && grep -qx PASSED "$work/stdout" ||
        { cat "$work/stdout" "$work/stderr"; return 1; }
}
if has numba.cuda && has cuda.bindings.driver; then
    check "python: numba, a program started by itself" passes numba_programs
    export EVGPU_TIMING=none
    check "... without time" passes numba_programs
    unset EVGPU_TIMING
else
    skip "python: numba-cuda (make pypi) is needed"
fi
if has pycuda && command -v clang++-14 >/dev/null; then
    export PATH="$home/bin:$PATH"
    check "python: PyCUDA" passes pycuda_programs
    check "... under evgpu run" limited "$evgpu" run --config gtx480.ini --tiles model --no-profile \
        --program "$python tests/cuda/python/pycuda_programs.py"
else
    skip "python: PyCUDA (make pypi) and clang++-14 are needed"
fi
finish
