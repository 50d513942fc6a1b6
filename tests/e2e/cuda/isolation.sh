# A guest that fails does not take the others down: programs whose kernels are at fault, services whose
# kernels are; at any moment; and the run still fails with the message and status of the guest.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "isolation: clang++-14 is needed"
    finish
fi
background=$work/background
two="--service ipv4,packets=600,route-count=1000 --service memc,packets=160"

run() { # run NAME STATUS OPTION...: the statistics in NAME.json, the table in table
    name=$1
    want=$2
    shift 2
    limited "$evgpu" run --tiles model --json "$work/$name.json" "$@" >"$work/table" 2>"$work/errors"
    got=$?
    [ "$got" -eq "$want" ] && return
    echo "status $got instead of $want"
    tail -n 3 "$work/table" "$work/errors"
    return 1
}
says() { # says TEXT: the table
    grep -qF -- "$1" "$work/table" || { echo "no '$1' in:"; grep -E 'Verdict|VERIFIED' "$work/table"; return 1; }
}
verified() { # verified N: so many verdicts
    [ "$(grep -c '^Verdict  *verified' "$work/table")" -eq "$1" ] || { grep Verdict "$work/table"; return 1; }
}
same_packets() { # same_packets A B SERVICE: the service's NIC counts
    python3 - "$work/$1.json" "$work/$2.json" "$3" <<'PY'
import json, sys
a, b = (json.load(open(name))['guests'][sys.argv[3]]['nic'] for name in sys.argv[1:3])
keys = ('packets_in', 'forwarded', 'dropped', 'lost', 'bytes_out')
sys.exit(any(a[key] != b[key] for key in keys))
PY
}

check "isolation: the program is compiled" "$build/cuda/bin/nvcc" -lineinfo -o "$background" \
    tests/cuda/isolation/background.cu

# Programs.
check "isolation: a background without a mistake" run fine 0 $two --program "$background fine 4"
while read -r kind error line; do
    check "isolation: $kind in a background" run "$kind" 3 $two --program "$background $kind 2 500"
    check "... leaves two services verified" verified 2
    check "... with the packets that they have without" same_packets fine "$kind" ipv4
    check "... and with its error in every call" says "$error $error $error "
    check "... and the message of the fault" sh -c "grep -q '^NOT VERIFIED: cycle [0-9]*, core [0-9]*: kernel .*work.*block (7,0,0), thread (5,0,0)' $work/table"
done <<'LIST'
address 700
misaligned 716
trap 719
assert 710
LIST
check "isolation: a program that ignores the error and ends with 0" run ignore 1 $two --program "$background ignore 2"
check "... leaves two services verified" verified 2
check "isolation: a program that aborts" run abort 134 $two --program "$background abort 2"
check "... leaves two services verified" verified 2
check "isolation: a program that is killed by a signal" run kill 139 $two --program "$background kill 2"
check "... leaves two services verified" verified 2
check "isolation: one of two programs" run one 3 --program "$background fine 6" \
    --program "$background address 1" --program "$build/apps/matrixMul --quiet 64 2"
check "... and the two others are right" verified 2
check "isolation: repeated beside a service" run repeated 3 --service ipv4,packets=600,route-count=1000 \
    --program "$background address 1" --repeat
check "... which is verified" verified 1

# Faults while events preempt, at cycles that differ; lockstep compares the tiles at every edge.
sweep() {
    for clocks in 0 170 390 610 830 1050 1270 1490 1710 1930 2150 2370; do
        limited "$evgpu" run --tiles lockstep --set gpu.cores=2 --set core.blocks=6 \
            --service ipv4,packets=160,batch=4,route-count=1000,pace=pps:4000000 \
            --program "$background address 0 $clocks" >"$work/table" 2>"$work/errors"
        [ $? -eq 3 ] && verified 1 || { echo "after $clocks clocks:"; tail -n 2 "$work/table"; return 1; }
    done
}
check "isolation: faults at a dozen moments, both back ends" sweep

# Services. The kernel ENTRY of a file with a mistake in its AT-th warp.
bad_kernel() { # bad_kernel FILE ENTRY AT
    awk -v entry="$2" -v at="$3" '
        $0 ~ ("\\.entry " entry "\\(") { inside = 1; print ".visible .global .align 4 .u32 warps_so_far = 0;" }
        inside && /ld\.param/ {
            print "{ .reg .pred %bad; .reg .b32 %lane, %warp; .reg .b64 %to;"
            print "mov.u32 %lane, %laneid; setp.ne.u32 %bad, %lane, 0; @%bad bra NOT_BAD;"
            print "atom.global.add.u32 %warp, [warps_so_far], 1; setp.ne.u32 %bad, %warp, " at - 1 ";"
            print "@%bad bra NOT_BAD; mov.u64 %to, 20; st.global.u32 [%to], %lane; NOT_BAD: }"
            inside = 0
        }
        { print }' "$1"
}
while read -r service file entry at options; do
    bad_kernel "$build/sw/services/$service/$file.ptx" "$entry" "$at" >"$work/$service.ptx"
    check "isolation: $service, a fault in event $at" run "$service" 1 \
        --service "$service,kernel=$work/$service.ptx,$options" --service "ipv4,packets=600,route-count=1000" \
        --program "$build/apps/matrixMul --quiet 64 2" --program "$background fine 2"
    check "... with event, packet and line" sh -c "grep -q '^NOT VERIFIED: cycle .*: kernel $entry, PTX line .*null pointer plus 20; event [0-9]*, thread (0,0,0); event [0-9]* of $service, packet [0-9]*; [1-9][0-9]* packets failed; the [0-9]* packets before equal their host references' $work/table"
    check "... and the other service and both programs are right" verified 3
done <<'LIST'
ipv6 ipv6_forward ipv6_forward 9 packets=900,route-count=1000
memc memc_get memc_get 4 packets=320
ipsec esp esp_open 12 packets=60
LIST
bad_kernel sw/services/ipv4/ipv4_forward.ptx ipv4_forward 7 >"$work/ipv4.ptx"
for launch in edge cpu hsa xtq gda; do
    check "isolation: ipv4 with launch=$launch, a fault" run "bad-$launch" 1 --service memc,packets=160 \
        --service "ipv4,packets=900,route-count=1000,kernel=$work/ipv4.ptx,launch=$launch" \
        --program "$background fine 2"
    check "... leaves memc and the program right" verified 2
done
bad_kernel sw/services/ipv4/ipv4_forward.ptx ipv4_forward_big 30 >"$work/big.ptx"
check "isolation: ipv4, a fault in an event of thread blocks" run big 1 --service memc,packets=160 \
    --service "ipv4,packets=9000,route-count=1000,kernel=$work/big.ptx,blocks" --program "$background fine 2"
check "... leaves memc and the program right" verified 2
service_lockstep() {
    "$evgpu" run --tiles lockstep --service "ipv4,packets=900,route-count=1000,kernel=$work/ipv4.ptx,pace=pps:20000000" \
        --program "$background address 2" --service memc,packets=96 --json "$work/both.json" >"$work/table" 2>"$work/errors"
    [ $? -eq 3 ] && verified 1
}
check "isolation: a service and a program fail, a service goes on, both back ends" service_lockstep
cp "$work/both.json" "$work/lockstep.json"
service_model() {
    "$evgpu" run --tiles model --service "ipv4,packets=900,route-count=1000,kernel=$work/ipv4.ptx,pace=pps:20000000" \
        --program "$background address 2" --service memc,packets=96 --json "$work/both.json" >"$work/table" 2>"$work/errors"
    same_figures "$work/both.json" "$work/lockstep.json"
}
check "... with the same statistics by the model alone" service_model

# Waits for words of memory with full/empty bits.
check "isolation: a program that waits for ever is compiled" "$build/cuda/bin/nvcc" -o "$work/deadlock" \
    tests/cuda/region/deadlock.cu
check "isolation: its time-out" run timeout 1 --config gtx580.ini --set fe.timeout_us=2000 \
    --service ipv4,packets=300,route-count=1000 --program "$work/deadlock" --program "$background fine 2"
check "... ends it alone" verified 2
check "... with its message" says "NOT VERIFIED: full/empty time-out: kernel"
# What would act on the waits of all guests.
check "isolation: a program that meddles with waits is compiled" "$build/cuda/bin/nvcc" -o "$work/meddle" \
    tests/cuda/region/meddle.cu
for what in release timeout early; do
    check "isolation: a program that meddles with the waits of others, $what" run meddle 0 --config gtx580.ini \
        --program "$work/meddle $what" --program "$build/apps/vectorAdd --elements 16384 --mode overlap"
    check "... gets nowhere" verified 2
done

# What kernels have beside memory.
check "isolation: programs with limits are compiled" "$build/cuda/bin/nvcc" -o "$work/limits" \
    tests/cuda/isolation/limits.cu
for what in small greedy; do
    check "isolation: heap and printf buffer of another program, $what" run "limits-$what" 0 \
        --program "$work/limits $what" --program "$work/limits victim"
    check "... are its own" sh -c "grep -q '^victim: 640 of 640 blocks' $work/table && grep -q '^line 99$' $work/table && grep -q '^line 0$' $work/table"
done
finish
