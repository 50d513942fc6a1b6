# Doorbells before their packets (setting doorbell): every packet is right, and what cannot be is refused.
. tests/e2e/lib.sh.inc

run() { # run NAME SERVICE [OPTION...]
    name=$1
    shift
    "$evgpu" run --background 0 --set fe.region_kib=1024 --json "$work/$name.json" --service "$@"
}
figure() { # figure NAME PATH
    jq -r "$2" "$work/$1.json"
}
for service in ipv4 ipv6 memc ipsec,direction=in; do
    for when in decided first; do
        check "early doorbell: $service, $when" run "$when" "$service,fill,packets=300,doorbell=$when" --tiles model
    done
done
check "early doorbell: with the RTL" run lockstep ipv4,fill,packets=200,doorbell=first --tiles lockstep
# A warp is held while its batch comes in: longer than with the doorbell behind.
check "early doorbell: behind" run behind ipv4,fill,packets=320,pace=pps:2000000 --tiles model
check "early doorbell: first" run first ipv4,fill,packets=320,pace=pps:2000000,doorbell=first --tiles model
longer() {
    [ "$(figure first '.guests.ipv4.latency_cycles.event_runtime.mean > 8000')" = true ] &&
        [ "$(figure behind '.guests.ipv4.latency_cycles.event_runtime.mean < 8000')" = true ]
}
check "early doorbell: the event waits for its packets" longer
# Events that time ends while their packets still come.
check "early doorbell: aborted events" run aborted ipv4,fill,packets=320,pace=pps:2000000,doorbell=first,timeout_us=5 \
    --tiles model
check "early doorbell: ... lose their packets" sh -c "[ $(figure aborted .guests.ipv4.nic.aborted) -gt 0 ]"
for wrong in doorbell=first fill,doorbell=first,launch=cpu fill,doorbell=decided,promise_rate=1000; do
    check "early doorbell: refused with $wrong" fails_with 2 "doorbell: before its packets" \
        "$evgpu" run --set fe.region_kib=1024 --service "ipv4,$wrong"
done
finish
