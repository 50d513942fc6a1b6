# CPU cores in the machine: alone on mesh and crossbar, beside a program, the same on every back end and
# twice; what their statistics must agree on; bad input; an interrupted run.
. tests/e2e/lib.sh.inc

cpus() { # WHAT OPTIONS...
    what=$1
    shift
    "$evgpu" run --config cm-bal.ini --cpus "$what" --cpu-warmup 2000 --cpu-quota 5000 --json "$work/cpus.json" "$@"
}
holds() { # a Python condition on the statistics s, the guest g and its cores c
    python3 - "$work/cpus.json" "$1" <<'END'
import json, sys
s = json.load(open(sys.argv[1]))
g = s["guests"]["cpus"]
c = g["cores"]
if not eval(sys.argv[2]):
    sys.exit("does not hold: %s\n%s" % (sys.argv[2], json.dumps(c[0], indent=1)))
END
}

check "mix H1 alone" cpus H1
cp "$work/cpus.json" "$work/first.json"
check "... has 14 cores, each measured for its quota" holds \
    'len(c) == 14 and all(x["quota_reached"] and 5000 <= x["measured_instructions"] < 5003 for x in c)'
check "... that went on until the slowest was there" holds \
    'max(x["instructions"] for x in c) > 1.2 * min(x["instructions"] for x in c)'
check "... with IPC as counted" holds \
    'all(abs(x["measured_ipc"] - x["measured_instructions"] / x["measured_cycles"]) < 1e-9 for x in c)'
check "... with as many cycles as the machine's clock has" holds \
    'all(0 <= x["cycles"] - s["cycles"] * 2000 // 700 < 300 for x in c)'
check "... and misses of L2 that are reads of the LLC" holds \
    'all(abs(x["reads"] - x["l2"]["misses"]) <= 32 and x["llc"]["accesses"] > 0 for x in c)'
differ() { ! same_figures "$@"; }
check "the same again" cpus H1
check "... gives the same statistics" same_figures "$work/first.json" "$work/cpus.json"
check "another seed" cpus H1 --seed 2
check "... does not" differ "$work/first.json" "$work/cpus.json"
check "a crossbar in the mesh's place" cpus M2 --set network.kind=crossbar --set network.placement=none
check "... the same quotas" holds 'all(x["quota_reached"] for x in c)'
check "three programs, eleven idle cores" cpus 'mcf*2,povray'
check "... have three seats" holds 'g["used_cores"] == 3 and [x["application"] for x in c] == ["mcf", "mcf", "povray"]'
check "... and the light one is faster" holds 'c[2]["measured_ipc"] > 2 * c[0]["measured_ipc"]'
check "the small machine" "$evgpu" run --config cm-bal-4sm.ini --cpus 'lbm*3' --cpu-quota 3000

bfs=$build/apps/bfs
for tiles in verilator model lockstep; do
    check "beside bfs under cm-bal1, tiles $tiles" cpus 'H2' --program "$bfs --nodes 2000" \
        --concurrency cm-bal1 --tiles $tiles
    [ -e "$work/beside.json" ] || cp "$work/cpus.json" "$work/beside.json"
    check "... the same statistics" same_figures "$work/beside.json" "$work/cpus.json"
done
check "... which cost the CPU cores something" holds \
    'sum(x["measured_ipc"] for x in c) > 0 and s["gpu"]["cores"]["warp_instructions"] > 0'

check "a mix that is none" fails_with 2 "--cpus H3: " cpus H3
check "more programs than cores" fails_with 2 "names more programs than the machine has CPU cores, 14" cpus 'mcf*15'
check "no program between commas" fails_with 2 "a program name is empty" cpus 'mcf,,gcc'
check "a number that is none" fails_with 2 "the number behind '*'" cpus 'mcf*x'
check "a machine without CPU cores" fails_with 2 "has no CPU cores" "$evgpu" run --config gtx480.ini --cpus H1
check "no trace file" fails_with 2 "No such file" cpus "$work/none.champsim"
head -c 1000 /dev/zero >"$work/short.champsim"
truncated() {
    cpus "champsim:$work/short.champsim" >"$work/truncated"
    [ $? -eq 1 ] && grep 'NOT VERIFIED: cpus: CPU core 0: .*short.champsim' "$work/truncated"
}
check "a truncated trace fails the run where it ends" truncated
check "wider than the window" fails_with 2 "memory_width = 4: must not exceed width = 3" cpus H1 --set cpu_core.memory_width=4
check "a cache that cannot be" fails_with 2 "L2 cache of 262144 bytes, 7 ways" cpus H1 --set cpu_core.l2_ways=7

interrupted() {
    "$evgpu" run --config cm-bal.ini --cpus H1 --scale paper --json "$work/stopped.json" >"$work/stopped" 2>&1 &
    pid=$!
    interrupt 1 $pid
    await $pid
    [ $? -ne 0 ] && grep -q 'NOT VERIFIED: stopped at cycle' "$work/stopped" &&
        grep -q 'mcf' "$work/stopped" && grep -q '"end": "stopped"' "$work/stopped.json"
}
check "an interrupted run says how far it has come" interrupted
check "a limit of cycles" sh -c "'$evgpu' run --config cm-bal.ini --cpus H1 --max-cycles 2000 2>&1 |
    grep -q 'cycle limit of 2000 reached.*CPU core 0: .* instructions retired'"
finish
