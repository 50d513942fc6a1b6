# Kernels that are not timed (--timing, EVGPU_TIMING): every application gives the same values, figures
# say what was timed and what was not, and what needs time is timed or refused.
. tests/e2e/lib.sh.inc

run() { # run OPTION...: on gtx480.ini
    limited "$evgpu" run --config gtx480.ini --tiles model --no-profile "$@"
}
untimed() { # untimed NAME ARGUMENT...
    run --timing none --program "$build/apps/$*" >"$work/report" || { cat "$work/report"; return 1; }
    grep -q '^Timed  *0 of [1-9]' "$work/report" || { cat "$work/report"; return 1; }
}
# The lines of the table of applications; those that only copy have no kernel.
sed -n '/^matrixMul 40/,/^END$/p' tests/e2e/cuda/apps.sh | grep -v '^END$' | grep -v copyLatency >"$work/rows"
check "untimed: the table of applications was understood" test "$(wc -l <"$work/rows")" -ge 30
while read -r name arguments; do
    check "untimed: $name $arguments" untimed "$name" $arguments
done <"$work/rows"

figures_of() { # figures_of NAME TIMING: of matrixMul
    run --timing "$2" --json "$work/$1.json" --program "$build/apps/matrixMul 64 3" >"$work/$1.out"
}
matmul='.guests[] | select(.kind == "program") | .kernels.matmul'
says() { # says NAME EXPRESSION...: each is true of the JSON
    file=$work/$1.json
    shift
    for expression; do
        jq -e "$expression" "$file" >"$work/value" || { echo "$expression:"; cat "$work/value"; return 1; }
    done
}
none_timed() {
    figures_of all all && figures_of none none && figures_of again none &&
        same_figures "$work/none.json" "$work/again.json" &&
        says all "($matmul | .launches == 3 and has(\"untimed_launches\") == false)" 'has("timing") == false' &&
        says none "($matmul | .launches == 3 and .untimed_launches == 3 and .cycles == null)" \
            "($matmul | has(\"ipc\") == false)" '.timing.launches == 3 and .timing.timed_launches == 0' \
            '.guests[].kernel_cycles == null' '.gpu.cores.warp_instructions == 0' || return 1
    timed=$(jq "$matmul | .warp_instructions" "$work/all.json")
    says none "($matmul | .untimed_warp_instructions == $timed)" ".timing.untimed_warp_instructions == $timed" &&
        grep -q 'matmul *3 launches, not timed' "$work/none.out" && grep -q 'launches not timed' "$work/none.out"
}
check "untimed: the same instructions, no time, the same figures each time" none_timed
some_timed() {
    figures_of every every:2 &&
        says every "($matmul | .launches == 3 and .untimed_launches == 1 and .cycles > 0 and .ipc > 0)" \
            '.timing.timed_launches == 2' &&
        grep -q 'matmul *3 launches, 2 timed, [1-9][0-9]* cycles each' "$work/every.out" &&
        figures_of late after:1000000000 && says late '.timing.timed_launches == 0' &&
        figures_of soon after:0 && says soon '.timing.timed_launches == 3'
}
check "untimed: every second launch, launches after a cycle" some_timed
one_kernel() {
    run --timing Kernel2,Kernel9 --json "$work/bfs.json" --program "$build/apps/bfs --nodes 300" >"$work/out1" 2>"$work/err" &&
        says bfs '.guests[].kernels | (.Kernel.cycles == null and .Kernel2.cycles > 0)' \
            '.guests[].kernels.Kernel2 | has("untimed_launches") == false' &&
        grep -qx 'evgpu: --timing: no kernel named Kernel9 was launched' "$work/err"
}
check "untimed: kernels by name, and a name that there is not" one_kernel
# A launch that is timed among others that are not finds the caches as if they had been: it takes as long as
# in a run in which all are timed, and not as long as the first one.
warm() {
    for choice in all every:11; do
        run --timing $choice --json "$work/warm.$choice.json" --program "$build/apps/hotspot --side 128 --steps 24" \
            >"$work/report" || return 1
    done
    jq -es '.[0].guests[].kernels.hotspot as $all | .[1].guests[].kernels.hotspot as $some
        | (($all.cycles - $all.first_cycles) / 11) as $later | ($some.cycles - $some.first_cycles) as $one
        | [$all.launches, $some.untimed_launches, $all.first_cycles, $some.first_cycles, $later, $one],
          ($all.launches == 12 and $some.untimed_launches == 10 and $some.first_cycles == $all.first_cycles
           and $all.first_cycles > 1.2 * $later and $one > 0.97 * $later and $one < 1.03 * $later)' \
        "$work/warm.all.json" "$work/warm.every:11.json"
}
check "untimed: caches are warm for the launches that are timed" warm
# Launches of one block come to one core after the other.
warm_code() {
    run --timing every:20 --json "$work/block.json" --program "$build/apps/matrixMul 16 24" >"$work/report" &&
        jq -e '.guests[].kernels.matmul | [.first_cycles, .cycles],
            (.untimed_launches == 22 and .cycles - .first_cycles < 0.5 * .first_cycles)' "$work/block.json"
}
check "untimed: ... and the code of one block is on every core" warm_code
traced() { # a waveform has the tiles of a region that nobody uses
    limited "$evgpu" run --config gtx580.ini --tiles verilator --no-profile --timing every:2 --trace "$work/traced.fst" \
        --trace-window 100 --json "$work/traced.json" --program "$build/apps/matrixMul 64 3" >"$work/report" &&
        jq -e '.timing | .timed_launches == 2 and .timed_anyway == 0' "$work/traced.json"
}
check "untimed: with a waveform, the same kernels are timed" traced
check "untimed: a mistake in the choice" fails_with 2 "--timing every:x: after every: there must be a whole number" \
    "$evgpu" run --timing every:x
while IFS='|' read -r options text; do
    # shellcheck disable=SC2086 # options are words
    check "untimed: refused with $options" fails_with 2 "$text" "$evgpu" run --timing none $options
done <<'LIST'
--service ipv4 --background 16|--timing: leave it out with --service: events meet a GPU at work
--program vectorAdd --concurrency fixed:4|--timing: leave it out with --concurrency
--program vectorAdd --gpu-quota 1000|--timing: leave it out with a quota
LIST
check "untimed: refused with CPU cores" fails_with 2 "--timing: leave it out with --cpus" \
    "$evgpu" run --config cm-bal.ini --timing none --cpus L1 --program vectorAdd

# Full/empty bits need time, so every kernel is timed, and it says so.
region() {
    limited "$evgpu" run --config gtx580.ini --tiles model --no-profile --timing none \
        --program "$build/apps/vectorAdd --elements 4096 --mode overlap" >"$work/report" &&
        grep -q '^Timed  *1 of 1 kernel launches' "$work/report" &&
        grep -q '1 of them because events, devices on PCIe or full/empty bits need time' "$work/report"
}
check "untimed: a kernel that waits for full/empty bits is timed" region

# A signal ends a program whose kernel runs for hours, at once and not when so many cycles have passed: a cycle of
# such a kernel takes long.
cat >"$work/hours.cu" <<'CUDA'
#include <cstdio>
__global__ void hours(float *p)
{
    for (long i = 0; i < 1000000000000; i++)
        p[threadIdx.x] = p[threadIdx.x] * 0.5f + 1;
}
int main()
{
    float *p;
    cudaMalloc(&p, 1024);
    hours<<<64, 256>>>(p);
    puts("launched");
    fflush(stdout);
    return cudaDeviceSynchronize();
}
CUDA
ends_at_once() {
    "$build/cuda/bin/nvcc" -o "$work/hours" "$work/hours.cu" || return 1
    EVGPU_TIMING=none EVGPU_FLAGS="--no-profile --json $work/hours.json" "$work/hours" >"$work/launched" 2>"$work/err" &
    until_true grep -q launched "$work/launched"
    sleep 0.2
    kill -TERM $!
    await $!
    until_true none_left && jq -e '.cycles < 150000' "$work/hours.json"
}
# A block that does nothing but atomics looks as one that waits for others, and has few turns: it still goes on.
cat >"$work/atomics.cu" <<'CUDA'
__global__ void atomics(unsigned *p)
{
    for (unsigned i = 0; i < 400000; i++)
        atomicXor(p + i % 7, i);
}
int main()
{
    unsigned *p, first, want = 0;
    for (unsigned i = 0; i < 400000; i += 7)
        want ^= i;
    cudaMalloc(&p, 28);
    cudaMemset(p, 0, 28);
    atomics<<<1, 1>>>(p);
    cudaMemcpy(&first, p, 4, cudaMemcpyDeviceToHost);
    return first != want;
}
CUDA
goes_on() {
    "$build/cuda/bin/nvcc" -o "$work/atomics" "$work/atomics.cu" &&
        EVGPU_FLAGS='--config gtx480.ini --tiles model --no-profile --timing none --watchdog 50000' limited "$work/atomics"
}
if command -v clang++-14 >/dev/null; then
    check "untimed: a signal ends a kernel of hours at once" ends_at_once
    check "untimed: a kernel of atomics is no hang" goes_on
else
    skip "untimed: clang++-14 is needed for a kernel of hours, and for one of atomics"
fi
finish
