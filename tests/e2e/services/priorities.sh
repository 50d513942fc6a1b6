# What priorities guarantee: an event for which its core drains does not wait for ever longer beside lighter
# events of a lower priority (rtl/edge/pending_order.v).
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
        --program "build/apps/bfs --nodes=4096" --repeat --json "$work/$name.json" "$@"
}

wait='.guests.ipsec.latency_cycles.scheduling.mean'
check "heavy events of the highest priority" drain few 32 --tiles model
check "... beside many light ones of the lowest" drain many 12000 --tiles model
check "... wait no longer" less "$(value many "$wait")" "$(value few "$wait")" 1.1
check "... and all of both are right" [ "$(value many .end)" = verified ]
check "... in lockstep" drain lockstep 2000 --tiles lockstep

finish
