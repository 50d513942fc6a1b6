# Room for events: with event.room a core keeps contexts and registers free for its events, so that they borrow
# none (rtl/cm/event_room.v).
. tests/e2e/lib.sh.inc

beside() { # NAME PROGRAM OPTION...
    name=$1
    program=$2
    shift 2
    "$evgpu" run --set gpu.cores=2 --set event.reserved_cores=0 --service ipv4,packets=1600,pace=pps:1000000 \
        --program "$program" --repeat --no-alone --json "$work/$name.json" "$@"
}

value() { # NAME JQ-PATH
    jq -r "$2" "$work/$1.json"
}

less() { # A B FACTOR: A < B * FACTOR
    awk -v a="$1" -v b="$2" -v f="$3" 'BEGIN { print a, b; exit !(a < b * f) }'
}

matrices="$build/apps/matrixMul --rows=128 --quiet"
free=.gpu.events_by_path.free_context
wait=.guests.ipv4.latency_cycles.scheduling.mean
for sched in preempt drain; do
    check "$sched without room" beside "$sched" "$matrices" --tiles model --sched "$sched"
    check "... with room" beside "$sched.room" "$matrices" --tiles model --sched "$sched" --set event.room=yes
    check "... every event waits less" less "$(value "$sched.room" "$wait")" "$(value "$sched" "$wait")" 0.5
done
check "most events found a free context" less 38 "$(value preempt.room $free)" 1
check "... and few without room" less "$(value preempt $free)" 12 1
check "so many contexts are kept as events need, not a core's" less \
    "$(value preempt.room '.gpu.event_room.context_cycles / .gpu.cycles')" 4 1
check "without event.room there is nothing of it" [ "$(value preempt .gpu.event_room)" = null ]

# The same with another margin, and with the RTL beside the model.
check "three contexts more" beside margin "$matrices" --tiles model --set event.room=yes --set event.room_margin=3
check "... are kept" less "$(value preempt.room .gpu.event_room.context_cycles)" \
    "$(value margin .gpu.event_room.context_cycles)" 1
check "short intervals, in lockstep" beside lockstep "$matrices" --tiles lockstep --set event.room=yes --set event.room_interval=10
check "... on the Verilog alone" beside rtl "$matrices" --tiles verilator --set event.room=yes --set event.room_interval=10
check "... with the same result" [ "$(value lockstep .gpu.cycles)" = "$(value rtl .gpu.cycles)" ]
check "... on two threads" beside threads "$matrices" --tiles model --threads 2 --set event.room=yes --set event.room_interval=10
check "... with the same result" [ "$(value lockstep .gpu.cycles)" = "$(value threads .gpu.cycles)" ]
finish
