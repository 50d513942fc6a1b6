# An event that hangs: without a time-out the run never ends; with one the driver aborts the event, its
# packets are lost, and everything else is right, the program under it included.
. tests/e2e/lib.sh.inc

matmul="$build/apps/matrixMul --quiet 160 2" # takes every context of two cores
run() { # run NAME STATUS[,STATUS] OPTION...: the statistics in NAME.json, the table in table
    name=$1
    want=$2
    shift 2
    limited "$evgpu" run --set gpu.cores=2 --json "$work/$name.json" "$@" --program "$matmul" >"$work/table" 2>"$work/errors"
    got=$?
    case ",$want," in *",$got,"*) return ;; esac
    echo "status $got instead of $want"
    tail -n 3 "$work/table" "$work/errors"
    return 1
}
says() { # says TEXT: the table
    grep -qF -- "$1" "$work/table" || { echo "no '$1' in:"; grep -E 'Verdict|aborted' "$work/table"; return 1; }
}
verified() { # verified N: so many verdicts
    [ "$(grep -c '^Verdict  *verified' "$work/table")" -eq "$1" ] || { grep Verdict "$work/table"; return 1; }
}
hangs() { # hangs FILE ENTRY AT: warp number AT of the kernel waits for a word that stays 0
    awk -v entry="$2" -v at="$3" '
        $0 ~ ("\\.entry " entry "\\(") {
            inside = 1
            print ".visible .global .align 4 .u32 warps_so_far = 0;"
            print ".visible .global .align 4 .u32 never = 0;"
        }
        inside && /ld\.param/ {
            print "{ .reg .pred %bad; .reg .b32 %lane, %warp;"
            print "mov.u32 %lane, %laneid; setp.ne.u32 %bad, %lane, 0; @%bad bra GO_ON;"
            print "atom.global.add.u32 %warp, [warps_so_far], 1; setp.ne.u32 %bad, %warp, " at - 1 ";"
            print "@%bad bra GO_ON; HANG: ld.volatile.global.u32 %warp, [never];"
            print "setp.eq.u32 %bad, %warp, 0; @%bad bra HANG; GO_ON: }"
            inside = 0
        }
        { print }' "$1"
}
counts() { # counts FILE KEY...: the numbers at these keys of the statistics
    python3 - "$@" <<'PY'
import json, sys
j = json.load(open(sys.argv[1]))
def at(path):
    v = j
    for key in path.split('.'):
        v = v[key]
    return v
print(*[at(path) for path in sys.argv[2:]])
PY
}
hangs sw/services/ipv4/ipv4_forward.ptx ipv4_forward 7 >"$work/ipv4.ptx"
hangs sw/services/ipv4/ipv4_forward.ptx ipv4_forward_big 30 >"$work/big.ptx"
one="--service ipv4,packets=600,route-count=1000,kernel=$work/ipv4.ptx"
big="--service ipv4,packets=2560,route-count=1000,blocks,kernel=$work/big.ptx"

check "abort: without a time-out the run does not end" run none 1,3 --tiles model --max-cycles 3000000 $one
check "... and the event holds the program up" grep -q "cycle limit.*event ipv4_forward.*matmul.*waits at a barrier" "$work/table"
check "abort: with one the run goes on" run model 0 --tiles model $one,timeout_us=30
check "... and service and program are verified" verified 2
check "... and the event is told" says "567 packets equal their host references; 1 events aborted after 30 us, 32 packets lost"
numbers() {
    [ "$(counts "$work/model.json" gpu.events gpu.events_aborted guests.ipv4.events guests.ipv4.events_aborted \
        guests.ipv4.nic.aborted gpu.events_by_path.free_context)" = "19 1 18 1 32 0" ] ||
        counts "$work/model.json" gpu.events gpu.events_aborted guests.ipv4.events guests.ipv4.events_aborted \
            guests.ipv4.nic.aborted gpu.events_by_path.free_context
}
check "... and counted; it had a victim, as all had" numbers
check "abort: the same in lockstep" run lockstep 0 --tiles lockstep $one,timeout_us=30
check "... with the same statistics" same_figures "$work/model.json" "$work/lockstep.json"
check "abort: an event of thread blocks" run big 0 --tiles model $big,timeout_us=60
check "... with service and program verified" verified 2
check "... and one event lost" says "2397 packets equal their host references; 1 events aborted after 60 us, 152 packets lost"
check "abort: a time-out that nobody meets changes nothing" sh -c "
    '$evgpu' run --set gpu.cores=2 --tiles model --service ipv4,packets=600,route-count=1000 --program '$matmul' --json '$work/off.json' >/dev/null &&
    '$evgpu' run --set gpu.cores=2 --tiles model --service ipv4,packets=600,route-count=1000,timeout_us=100000 --program '$matmul' \
        --json '$work/on.json' >/dev/null"
unchanged() {
    [ "$(counts "$work/off.json" gpu.cycles gpu.events)" = "$(counts "$work/on.json" gpu.cycles gpu.events)" ]
}
check "... in cycles and events" unchanged
check "abort: a bad time-out" fails_with 2 "timeout_us" "$evgpu" run --service ipv4,timeout_us=soon
check "abort: too long a time-out" fails_with 2 "timeout_us" "$evgpu" run --service ipv4,timeout_us=1000001
check "abort: a time-out of launches that are no events" fails_with 2 "timeout_us: applies to events" \
    "$evgpu" run --service ipv4,launch=cpu,timeout_us=5
check "abort: a time-out of a program's events" fails_with 2 "timeout_us: applies to events" \
    "$evgpu" run --service ipv4,kernel=program,timeout_us=5

if ! command -v clang++-14 >/dev/null; then
    skip "abort: a program's own rows need clang++-14"
    finish
    exit
fi
check "abort: a program that aborts is compiled" "$build/cuda/bin/nvcc" -I. -I"$build/gen" -o "$work/rows" \
    tests/cuda/abort/rows.cu -lcuda
check "... and may abort events of its own rows only" "$evgpu" run --tiles model \
    --service ipv4,packets=100,route-count=1000 --program "$work/rows"
finish
