# Priorities and promises between services (docs/guide/services.md): a heavy service does not starve a light
# one; promises hold beside backgrounds and a hostile neighbour, or are refused with a plain reason.
. tests/e2e/lib.sh.inc

run() { # NAME ARGUMENT...
    name=$1
    shift
    "$evgpu" run --tiles model --no-alone --no-profile --json "$work/$name.json" "$@"
}

value() { # NAME JQ-PATH
    jq -r "$2" "$work/$1.json"
}

less() { # A B FACTOR: A < B * FACTOR
    awk -v a="$1" -v b="$2" -v f="$3" 'BEGIN { print a, b; exit !(a < b * f) }'
}

light=ipv4,packets=400,pace=pps:1000000
heavy=memc,packets=6000,pace=gbps:10
p99='.guests.ipv4.latency_cycles.packet.p99'
check "a light service alone" run alone --service $light
check "beside a heavy one" run equal --service $light --service $heavy
check "with priority" run first --service $light,priority=3 --service $heavy
check "every event of both" [ "$(value equal '[.guests[].events] | add')" -gt 190 ]
check "a heavy neighbour costs the light one little" \
    less "$(value equal "$p99")" "$(value alone "$p99")" 1.8
check "with priority less" less "$(value first "$p99")" "$(value equal "$p99")" 1.02
check "priority in the statistics" [ "$(value first '.guests.ipv4.priority')" = 3 ]

promised=ipv4,packets=300,pace=pps:400000,p99=1500,promise_rate=400000
check "a promise beside a heavy neighbour and a background" run promise --service $promised --service $heavy --background 128
check "... is said to have held" [ "$(value promise '.guests.ipv4.promise.held')" = true ]
check "... of every packet" [ "$(value promise '.guests.ipv4.promise.packets_over')" = 0 ]
check "refused: too short" fails_with 2 "could be promised" \
    run short --service ipv4,packets=300,p99=20,promise_rate=400000
check "refused: no rate" fails_with 2 "needs promise_rate" run rate --service ipv4,p99=100
check "refused: by draining" fails_with 2 "no p99 can be promised" \
    run drain --sched drain --service $promised

# The meter alone.
check "traffic over its rate is held" \
    run held --service ipv4,packets=600,pace=pps:4000000,promise_rate=1000000
check "... and counted" [ "$(value held '.guests.ipv4.promise.packets_over')" -gt 300 ]
check "... or dropped" \
    run dropped --service ipv4,packets=600,pace=pps:4000000,promise_rate=1000000,drop
check "... and counted too" [ "$(value dropped '.guests.ipv4.nic.lost')" -gt 300 ]
finish
