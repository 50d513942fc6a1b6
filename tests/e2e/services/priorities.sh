# What priorities guarantee: an event for which its core drains does not wait for ever longer beside lighter
# events of a lower priority (rtl/edge/pending_order.v). What they cost: services that hardly run take no
# throughput from another by their priorities alone (rtl/edge/level_room.v).
. tests/e2e/lib.sh.inc

value() { # NAME JQ-PATH
    jq -r "$2" "$work/$1.json"
}

less() { # A B FACTOR: A < B * FACTOR
    awk -v a="$1" -v b="$2" -v f="$3" 'BEGIN { print a, b; exit !(a < b * f) }'
}

drain() { # NAME PACKETS OPTION...: one core, whose background has too few registers for `ipsec`
    name=$1
    packets=$2
    shift 2
    "$evgpu" run --set gpu.cores=1 --set event.reserved_cores=0 --set event.registers=victim \
        --service ipsec,registers=28,batch=1,packets=40,pace=pps:30000,arrivals=poisson,execute=no,priority=3 \
        --service "ipv4,registers=20,packets=$packets,pace=pps:8000000" \
        --program "$build/apps/bfs --nodes=4096" --repeat --json "$work/$name.json" "$@"
}

wait='.guests.ipsec.latency_cycles.scheduling.mean'
check "heavy events of the highest priority" drain few 32 --tiles model
check "... beside many light ones of the lowest" drain many 12000 --tiles model
check "... wait no longer" less "$(value many "$wait")" "$(value few "$wait")" 1.1
check "... and all of both are right" [ "$(value many .end)" = verified ]
check "... in lockstep" drain lockstep 2000 --tiles lockstep

places() { # NAME OPTION...: a full wire for ipv4 on 4 cores, which have 16 places for events
    name=$1
    shift
    "$evgpu" run --set gpu.cores=4 --set event.reserved_cores=0 --set nic.gbit_per_s=40 --background 0 \
        --service ipv4,packets=20000,pace=gbps:40,in_flight=128 --json "$work/$name.json" "$@"
}

idle_services() { # NAME 1 2 3: beside three services of one event each, of these priorities
    places "$1" --tiles model --service "ipv6,packets=32,priority=$2" --service "memc,packets=32,priority=$3" \
        --service "ipsec,packets=1,priority=$4"
}

rate='.guests.ipv4.cost.packets_per_second'
event='.guests.ipv4.latency_cycles.event.mean'
check "ipv4 at the full rate of the wire" places alone --tiles model
check "... beside three services of one event, of one priority" idle_services equal 0 0 0
check "... of four priorities" idle_services levels 1 2 3
check "... as fast as with one priority" less "$(value equal "$rate")" "$(value levels "$rate")" 1.02
check "... and as alone" less "$(value alone "$rate")" "$(value levels "$rate")" 1.02
check "... its events hardly longer" less "$(value levels "$event")" "$(value equal "$event")" 1.2
check "... and those of the highest priority find a place at once" \
    less "$(value levels .guests.ipsec.latency_cycles.launch.max)" "$(value equal .guests.ipsec.latency_cycles.launch.max)" 1.1
check "... in lockstep" places lockstep --tiles lockstep --service ipv6,packets=32,priority=1 \
    --service memc,packets=64,priority=2 --service ipsec,packets=4,priority=3

finish
