# Large device memory costs the host nothing until it is touched: a program allocates three quarters of
# it and touches both ends and a word of every GiB, of the machine that it starts by itself, and of 16 GiB.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null || ! command -v python3 >/dev/null; then
    skip "giant: clang++-14 and python3 are needed"
    finish
fi
# within MIB COMMAND...: it succeeds, and no process of it has ever held more memory
within() {
    limited python3 -c '
import resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print("status", status, "peak", peak, "MiB")
sys.exit(status or peak > int(sys.argv[1]))' "$@"
}
check "giant: the program is compiled" "$build/cuda/bin/nvcc" -o "$work/giant" tests/cuda/api/giant.cu -lcuda
check "giant: 6 GiB of the 8 GiB of edge.ini" within 200 "$evgpu" run --program "$work/giant 8"
check "giant: the same by itself" within 200 env -u EVGPU_CONFIG -u EVGPU_FLAGS "$work/giant" 8
check "giant: 12 GiB of 16 GiB" within 200 "$evgpu" run --tiles model --set gpu.memory_mib=16384 --program "$work/giant 16"
check "giant: a machine of another size says so" sh -c "$evgpu run --tiles model --program '$work/giant 16'; [ \$? -eq 3 ]"
finish
