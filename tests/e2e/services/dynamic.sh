# Dynamic scheduling (docs/papers/edge.md): every packet and every repetition of the background right, events
# faster than by preemption or draining at little cost to the background, both back ends of the tiles equal.
. tests/e2e/lib.sh.inc

run() { # NAME PACKETS ARGUMENT...: `ipv4`, 32 events at a time, beside a matrix product
    name=$1
    packets=$2
    shift 2
    "$evgpu" run --config edge.ini --set gpu.cores=8 --set event.reserved_cores=4 --set pcie.latency_ns=2 \
        --set pcie.bandwidth_mb_per_s=100000 --set nic.gbit_per_s=1000 --set l2.host_lane=yes \
        --service "ipv4,in_flight=32,packets=$packets,pace=gbps:1000" \
        --program 'matrixMul --rows=128 --quiet' --repeat --json "$work/$name.json" "$@"
}

value() { # NAME JQ-PATH
    jq -r "$2" "$work/$1.json"
}

less() { # A B FACTOR: A < B * FACTOR
    awk -v a="$1" -v b="$2" -v f="$3" 'BEGIN { print a, b; exit !(a < b * f) }'
}

time='.guests.ipv4.latency_cycles.turnaround.mean'
speed='[.guests[].repeated.speed | numbers] | add'
for sched in dynamic preempt drain; do
    check "$sched" run $sched 9600 --sched $sched --set event.drain=core --tiles model
    check "... every packet and every repetition right" [ "$(value $sched .end)" = verified ]
    check "... all events" [ "$(value $sched .guests.ipv4.events)" = 299 ]
done
check "events are faster than by preemption" less "$(value dynamic "$time")" "$(value preempt "$time")" 0.9
check "... and than by draining" less "$(value dynamic "$time")" "$(value drain "$time")" 0.9
check "the background is less than a tenth slower than by draining" \
    less "$(value drain "$speed")" "$(value dynamic "$speed")" 1.1
check "without lanes" run bare 9600 --sched dynamic --tiles model --set event.lane_queue=0
check "... events are slower" less "$(value dynamic "$time")" "$(value bare "$time")" 0.9
check "with wider lanes" run wide 9600 --sched dynamic --tiles model \
    --set event.lane_queue=32
check "... the background has less" less "$(value wide "$speed")" "$(value dynamic "$speed")" 0.95
check "few packets, both back ends at every edge" run lockstep 960 --sched dynamic --tiles lockstep
check "... by the model alone" run model 960 --sched dynamic --tiles model
check "... the same statistics" same_figures "$work/lockstep.json" "$work/model.json"
finish
