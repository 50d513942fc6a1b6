# The same service launched in every way (EDGE Figure 3): packets right, hostile ones counted, queues
# that wrap and fill, one result on every back end, and what cannot be is an error.
. tests/e2e/lib.sh.inc

run() { # run NAME OPTION...
    name=$1
    shift
    "$evgpu" run --background 0 --tiles model --json "$work/$name.json" "$@"
}
figure() { # figure NAME KEY: the first of that name
    figures "$work/$1.json" | sed -n "s/.*\"$2\": \([0-9.e+-]*\),*$/\1/p" | head -1
}

"$evgpu" pktgen --service ipv4,route-count=1000 -n 600 --rate 5000000 --seed 3 --fraction no-route=50000 \
    --fraction ttl-expired=50000 --fraction bad-checksum=50000 --fraction bad-length=50000 --fraction bad-version=50000 \
    --fraction options=50000 "$work/ipv4.pcap" >"$work/made"
ipv4=ipv4,route-count=1000,seed=3,capture=$work/ipv4.pcap

check "edge: hostile packets" run edge --service "$ipv4"
same_packets() { # same_packets NAME: verdicts as EDGE's
    for name in edge "$1"; do sed -n '/"dropped"/,/}/p; s/.*"forwarded": //p' "$work/$name.json" >"$work/$name.verdicts"; done
    cmp "$work/edge.verdicts" "$work/$1.verdicts" && grep -q '"no route": [1-9]' "$work/$1.verdicts"
}
for way in cpu gda hsa xtq; do
    check "$way: hostile packets" run $way --service "$ipv4,launch=$way"
    check "$way: ... have EDGE's verdicts" same_packets $way
    check "$way: memc" run $way-memc --service memc,packets=100,rate=1000000,launch=$way
    check "$way: ipsec, a warp for a packet" run $way-ipsec --service ipsec,packets=60,rate=300000,launch=$way
    check "$way: thread blocks" run $way-blocks --service ipv6,route-count=1000,packets=600,blocks,launch=$way
    check "$way: four entries" run $way-few --service "$ipv4,launch=$way" --set nic.in_flight=4
    check "$way: more than it can take, dropped" run $way-drop --service "$ipv4,launch=$way,pace=gbps:10,drop" \
        --set nic.in_flight=2 --set nic.buffer_kib=8
    check "$way: ... are counted" test "$(figure $way-drop lost)" -gt 0
    check "$way: packets in memory with full/empty bits" run $way-fill --service ipv4,route-count=1000,packets=200,fill,launch=$way \
        --set fe.region_kib=4096
    check "$way: three CPU threads" run $way-threads --service "$ipv4,launch=$way" --set cpu.threads=3
done

check "hsa: a ring of two packets" run ring2 --service "$ipv4,launch=hsa,ring_packets=2,pace=gbps:10"
check "hsa: the ring in the GPU's memory" run ring-gpu --service "$ipv4,launch=hsa,ring=gpu,ring_packets=4"
nearer() { awk "BEGIN { exit !($(figure ring-gpu mean) < $(figure hsa mean)) }"; }
check "gda: 1024 prepared kernels in as many streams" run gda-many --service "$ipv4,launch=gda" --set nic.in_flight=1024 \
    --set cpu.streams=1024
check "gda: packets that come seldom" run gda-seldom --service ipv4,route-count=100,packets=3,launch=gda,pace=pps:100
check "xtq: a ring of one packet" run ring1 --service "$ipv4,launch=xtq,ring_packets=1,pace=gbps:10"
check "all ways in one run, beside a product" "$evgpu" run --tiles model --background 64 --no-alone \
    --service ipv4,route-count=1000,packets=100,launch=gda --service ipv6,route-count=1000,packets=100,launch=hsa \
    --service memc,packets=64,launch=xtq --service ipsec,packets=20,launch=cpu,rate=200000 --service ipv4,route-count=1000,packets=100

# One result on every back end, and again.
equal() { # equal WAY
    for tiles in verilator model; do
        "$evgpu" run --background 64 --no-alone --tiles $tiles --service ipv4,route-count=1000,packets=100,launch="$1" \
            --json "$work/$tiles.json" || return 1
        figures "$work/$tiles.json" | sed '/"tiles"/d' >"$work/$tiles.same"
    done
    cmp "$work/verilator.same" "$work/model.same"
}
for way in gda hsa xtq; do check "$way: equal on Verilog and model, beside a product" equal $way; done

# Who pays.
check "xtq: no CPU" test "$(figure xtq cpu_threads)" -eq 0
check "xtq: the NIC has a table" test "$(figure xtq nic_table_bytes)" -ge 64
check "hsa: less CPU time than by the driver" \
    awk "BEGIN { exit !($(figure hsa cpu_ns_per_packet) < $(figure cpu cpu_ns_per_packet)) }"
check "xtq: a packet for each event, none refused" sh -c \
    "[ $(figure xtq kernels) -eq $(figure xtq events) ] && [ $(figure xtq too_large) -eq 0 ] && [ $(figure xtq bad_doorbells) -eq 0 ]"
check "gda: every entry has a kernel that waits" test "$(figure gda prepared_kernels)" -eq 64

check "an unknown way" fails_with 2 "launch gpu: must be edge" "$evgpu" run --service ipv4,launch=gpu
check "a ring without a queue of the CPU" fails_with 2 "ring: needs launch=hsa" "$evgpu" run --service ipv4,launch=xtq,ring=gpu
check "a ring nowhere" fails_with 2 "ring disk: must be host or gpu" "$evgpu" run --service ipv4,launch=hsa,ring=disk
check "packets of no ring" fails_with 2 "ring_packets: needs" "$evgpu" run --service ipv4,ring_packets=4
check "three packets" fails_with 2 "must be a power of two" "$evgpu" run --service ipv4,launch=hsa,ring_packets=3
check "a program's kernel by a queue" fails_with 2 "kernel=program: needs launch=edge, not launch=xtq" "$evgpu" run --service ipv4,launch=xtq,kernel=program
check "fewer streams than threads" fails_with 2 "cpu.streams = 2 must not be less than cpu.threads" \
    "$evgpu" run --service ipv4,launch=gda --set cpu.streams=2 --set cpu.threads=3
finish
