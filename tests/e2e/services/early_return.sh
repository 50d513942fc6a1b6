# Answers that the NIC takes by words (setting return): every packet is right, none is sent before its kernel
# has stored it, and what cannot be is refused.
. tests/e2e/lib.sh.inc

run() { # run NAME SERVICE [OPTION...]
    name=$1
    shift
    "$evgpu" run --background 0 --set fe.region_kib=4096 --json "$work/$name.json" --service "$@"
}
figure() { # figure NAME PATH
    jq -r "$2" "$work/$1.json"
}
for service in ipv4 ipv6 memc; do
    for when in behind decided first; do
        check "early return: $service, doorbell=$when" \
            run "$service-$when" "$service,fill,packets=300,doorbell=$when,return=words" --tiles model
    done
done
check "early return: with the RTL" run lockstep ipv4,fill,packets=200,doorbell=first,return=words --tiles lockstep
check "early return: ... of eight waiting requests" \
    run look8 memc,fill,packets=200,return=words --tiles lockstep --set fe.look_ahead=8
# Events that have lanes to memory are the GPU's, whose loads never wait behind the NIC's reads.
check "early return: of events with lanes" run lanes ipv4,fill,packets=64,return=words --tiles lockstep --sched dynamic \
    --max-cycles 400000
# Buffers are used again and again: what has been read is empty.
check "early return: four entries for many batches" run four ipv4,fill,packets=600,in_flight=4,return=words --tiles model
# One place among the requests that may wait: the NIC's reads take it in turn, and a program's copy with them.
check "early return: one request may wait" run one memc,fill,packets=300,return=words --tiles model --set fe.host_requests=1
check "early return: ... or a copy" run copy ipv4,fill,packets=600,in_flight=4,return=words --tiles model \
    --set fe.host_requests=1 --program "$build/apps/vectorAdd --elements 4096 --mode overlap"
check "early return: two services" run two memc,fill,packets=300,return=words --tiles model \
    --service ipv4,fill,packets=300,doorbell=first,return=words
check "early return: packets of 60 to 1500 bytes" "$evgpu" pktgen --count 300 --imix "$work/imix.pcap"
check "early return: ... through it" run imix "ipv4,fill,capture=$work/imix.pcap,in_flight=8,return=words" --tiles model

# What ends earlier than the completion entry: batches that come alone, and their packets.
for what in entry words; do
    check "early return: $what" run "$what" "ipv4,fill,packets=640,pace=pps:1000000,return=$what" --tiles model
done
earlier() { # earlier PATH: of entry and words
    [ "$(jq -n "$(figure words "$1") < $(figure entry "$1")")" = true ]
}
check "early return: packets are earlier" earlier .guests.ipv4.latency_cycles.packet.mean
check "early return: every event has its completion" \
    sh -c "[ $(figure words .guests.ipv4.latency_cycles.completion.count) = $(figure words .guests.ipv4.nic.batches) ]"
check "early return: no completion is a wrong one" sh -c "[ $(figure words .guests.ipv4.nic.bad_completions) = 0 ]"
for threads in 1 3; do
    check "early return: --threads $threads" run "threads$threads" memc,fill,packets=640,return=words --tiles model \
        --threads "$threads"
done
check "early return: ... give the same figures" same_figures "$work/threads1.json" "$work/threads3.json"

# A kernel that stores no answer for a packet: the NIC's wait ends with the time-out, and the service with it.
sed -e 's/i >= count/i >= count || i == 3/' -e 's|"ipv4_device.h"|"sw/services/ipv4/ipv4_device.h"|' \
    sw/services/ipv4/ipv4_return.cu >"$work/silent.cu"
check "early return: a kernel without all answers is compiled" sh sw/cu2ptx.sh "$work/silent.cu" "$work/silent.ptx" -I.
silent() {
    run silent "ipv4,fill,packets=320,return=words,kernel=$work/silent.ptx" --tiles model --set fe.timeout_us=100
}
timed_out() {
    silent >"$work/said" 2>&1
    [ $? -eq 1 ] && grep -q '^NOT VERIFIED: full/empty time-out: .* a device, read of .* to be full for 100.0 us' "$work/said" ||
        { cat "$work/said"; return 1; }
}
check "early return: ... and ends with the word that the NIC waits for" timed_out

# A kernel that fails: reads that wait are over, and the queue is given up.
sed -e 's/i >= count)/i == 3) __trap();\n    if (i >= count)/' -e 's|"ipv4_device.h"|"sw/services/ipv4/ipv4_device.h"|' \
    sw/services/ipv4/ipv4_return.cu >"$work/fails.cu"
check "early return: a kernel that fails is compiled" sh sw/cu2ptx.sh "$work/fails.cu" "$work/fails.ptx" -I.
failed() {
    run fails "ipv4,fill,packets=320,return=words,kernel=$work/fails.ptx" --tiles model >"$work/said" 2>&1
    [ $? -eq 1 ] && grep -q '^NOT VERIFIED: .* event 1 of ipv4, packet 4; ' "$work/said" || { cat "$work/said"; return 1; }
}
check "early return: ... and ends its service" failed

refused() { # refused SETTINGS TEXT [OPTION...]
    wrong=$1
    text=$2
    shift 2
    check "early return: refused with $wrong${1:+ $2}" fails_with 2 "$text" \
        "$evgpu" run --set fe.region_kib=1024 "$@" --service "$wrong,return=words"
}
refused ipv4 "return=words: needs fill"
refused ipv4,fill,launch=cpu "return=words: needs fill, launch=edge"
refused ipsec,fill "return=words: ipsec has no kernel"
refused ipv4,fill,blocks "return=words: applies to events of one warp"
refused ipv4,fill,execute=no "leave out execute=no"
refused ipv4,fill,timeout_us=10 "leave out timeout_us"
refused ipv4,fill,promise_rate=1000 "return=words: takes no promise_rate"
refused ipv4,fill "set fe.grain_bytes = 4" --set fe.grain_bytes=32
finish
