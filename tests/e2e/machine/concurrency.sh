# Concurrency management of a run: every policy in lockstep over a memory-bound and a compute-bound
# program; statistics equal over the back ends and over two runs; what is written down; bad policies.
. tests/e2e/lib.sh.inc

bfs="$build/apps/bfs --nodes=8192"
product="$build/apps/matrixMul --quiet 64 1 1"

run() { # run NAME PROGRAM OPTION...
    name=$1
    program=$2
    shift 2
    "$evgpu" run --config cm-bal-4sm.ini --program "$program" --no-profile \
        --json "$work/$name.json" "$@" >"$work/$name.out"
}

for policy in fixed:4 cm-cpu cm-bal1 cm-bal:k=300 cm-next dyncta; do
    check "bfs, $policy, lockstep" run "bfs-$policy" "$bfs" --concurrency "$policy" --tiles lockstep
    check "matrixMul, $policy, lockstep" \
        run "product-$policy" "$product" --concurrency "$policy" --tiles lockstep
done
for tiles in verilator model verilator; do
    check "bfs, cm-bal1, $tiles" run again "$bfs" --concurrency cm-bal1 --tiles "$tiles"
    check "... statistics equal those of lockstep" same_figures "$work/again.json" "$work/bfs-cm-bal1.json"
done

# Its blocks wait for each other, polling: those that poll do not keep the others from their turn.
check "barriers of a grid under one warp" run barriers "$build/apps/mst --nodes=64" \
    --concurrency fixed:1 --tiles model --max-cycles 4000000

# With a synchronised region its own tiles have the monitors; the limits stay what they are.
check "with a region, lockstep" run region "$bfs" --concurrency cm-bal1 --tiles lockstep \
    --set fe.region_kib=64

# A kernel of an event begins and ends without a word: at their rate no average would ever be valid.
check "beside events" "$evgpu" run --tiles model --packets 64 --no-alone --concurrency cm-bal1 \
    --json "$work/events.json"
check "... whose kernels are none for it" python3 - "$work/events.json" <<'PY'
import json, sys
j = json.load(open(sys.argv[1]))
c = j["concurrency"]
assert j["gpu"]["events"] > 1
assert c["kernels_begun"] == c["kernels_ended"] == 1
PY

check "off is the baseline" run off "$bfs" --concurrency off
check "... and so is no option" run none "$bfs"
check "... to the bit" same_figures "$work/off.json" "$work/none.json"
check "48 warps are all" run all "$bfs" --concurrency fixed:48
same_cycles() {
    grep '^ "cycles"\|^    "cycles"\|^  "cycles"' "$work/off.json" >"$work/off.cycles"
    grep '^ "cycles"\|^    "cycles"\|^  "cycles"' "$work/all.json" >"$work/all.cycles"
    [ -s "$work/off.cycles" ] && cmp "$work/off.cycles" "$work/all.cycles"
}
check "... cycle for cycle" same_cycles

check "the series is as long as the run" python3 - "$work/bfs-cm-bal1.json" <<'PY'
import json, sys
j = json.load(open(sys.argv[1]))
c = j["concurrency"]
n = c["intervals"]
assert n == j["cycles"] // 1024 or n == j["cycles"] // 1024 - 1, n
assert all(len(v) == n for v in c["series"].values())
assert all(len(v) == n for k, v in c["watched"].items() if k != "core")
assert set(c["watched"]["limit"]) <= {1, 2, 3, 4, 6, 8, 16, 24, 48}
assert len(set(c["watched"]["limit"])) > 2
assert abs(sum(c["share_at_limit"].values()) - 1) < 1e-6
assert 1 <= c["mean_limit"] <= 48
assert c["kernels_begun"] == c["kernels_ended"] > 4
assert sum(c["decisions"].values()) == n
assert sum(c["series"]["stall_mc"]) == c["stall_mc"]
PY
timeline() {
    grep -A 60 '^Concurrency  *cm-bal1: mean limit' "$work/bfs-cm-bal1.out" >"$work/lines" &&
        [ "$(grep -c '|#*  *|' "$work/lines")" -ge 8 ] && [ "$(grep -c '|#*  *|' "$work/lines")" -le 32 ]
}
check "a timeline of some lines" timeline

if command -v fst2vcd >/dev/null; then
    check "run with a trace" run trace "$build/apps/vectorAdd --elements=1000" --concurrency cm-bal1 \
        --trace "$work/cm.fst"
    check "... the same to the bit" run plain "$build/apps/vectorAdd --elements=1000" \
        --concurrency cm-bal1
    check "... as without" same_figures "$work/trace.json" "$work/plain.json"
    levels() {
        fst2vcd -f "$work/cm.fst" -o "$work/vcd" && grep -q ' limit_o' "$work/vcd" &&
            grep -q 'cm_decision_o' "$work/vcd" && grep -q 'stall_mc_o' "$work/vcd" &&
            grep -q ' cm3 ' "$work/vcd" && grep -q 'average_q' "$work/vcd"
    }
    check "level, averages, stalls and decision of every core are in it" levels
else
    skip "fst2vcd is not installed (Debian package gtkwave)"
fi

for policy in '' sometimes fixed:0 fixed:49 cm-bal5 cm-bal:k=4000 cm-next1 cm-next:k=4000; do
    check "'$policy' is no policy" fails_with 2 "--concurrency $policy: " \
        "$evgpu" run --concurrency "$policy"
done
check "two limits" fails_with 2 "core.warp_limit" "$evgpu" run --config cm-bal-4sm.ini \
    --program "$bfs" --concurrency cm-cpu --set core.warp_limit=8
check "four schedulers" fails_with 2 "core.schedulers" "$evgpu" run --config cm-bal-4sm.ini \
    --program "$bfs" --concurrency cm-cpu --set core.schedulers=4
finish
