# launch=persistent: every service by a kernel that polls, hostile frames included; the same packets come
# out as with events; what cannot be is refused.
. tests/e2e/lib.sh.inc

run() { # run NAME OPTION...
    name=$1
    shift
    "$evgpu" run --background 0 --tiles model --json "$work/$name.json" "$@"
}
figure() { # figure NAME KEY: the first number of that name in the statistics
    figures "$work/$1.json" | sed -n "s/.*\"$2\": \([0-9.]*\),*$/\1/p" | head -1
}
frames() { # the frames of a capture, without time stamps, in order of their bytes
    python3 - "$1" <<'END'
import struct, sys
data, at, all = open(sys.argv[1], "rb").read(), 24, []
while at < len(data):
    length = struct.unpack("<4I", data[at:at + 16])[2]
    all.append(data[at + 16:at + 16 + length].hex())
    at += 16 + length
print("\n".join(sorted(all)))
END
}

check "persistent: hostile IPv4 traffic" "$evgpu" pktgen -n 700 --rate 6000000 --seed 4 --fraction no-route=50000 \
    --fraction bad-checksum=50000 --fraction bad-length=50000 --fraction bad-version=50000 "$work/hostile.pcap"
service=ipv4,capture="$work/hostile.pcap"
check "persistent: ... with events" run edge --service "$service,out=$work/edge.pcap"
check "persistent: ... with a persistent kernel" run first --service "$service,launch=persistent,out=$work/out.pcap"
same_frames() {
    frames "$work/edge.pcap" >"$work/edge.frames"
    frames "$work/out.pcap" >"$work/out.frames"
    [ -s "$work/out.frames" ] && cmp "$work/edge.frames" "$work/out.frames"
}
check "persistent: ... the same frames come out" same_frames
check "persistent: in lockstep" "$evgpu" run --background 0 --tiles lockstep --json "$work/lockstep.json" \
    --service "$service,launch=persistent"
check "persistent: the same figures on every back end" same_figures "$work/first.json" "$work/lockstep.json"
check "persistent: resources held and polls are shown" \
    sh -c "[ $(figure first warps) -eq 64 ] && [ $(figure first polling_instructions) -gt 1000 ]"
check "persistent: fewer warps than entries, no divisor of them" run few \
    --service "$service,launch=persistent,persistent_warps=7"
check "persistent: one warp, frames dropped" run one --set nic.buffer_kib=2 --set nic.in_flight=2 \
    --service ipv4,packets=1500,launch=persistent,persistent_warps=1,drop,rate=14000000
check "persistent: ... are counted" sh -c "[ $(figure one lost) -gt 0 ]"
check "persistent: two batches in flight" run two --set nic.in_flight=2 \
    --service ipv4,packets=300,launch=persistent,registers=16
check "persistent: long silence is no hang" "$evgpu" run --background 0 --tiles model --watchdog 50000 \
    --service ipv4,packets=3,pace=pps:5000,launch=persistent
check "persistent: ipv6" run ipv6 --service ipv6,route-count=2000,packets=300,launch=persistent
check "persistent: memc" run memc --service memc,sets=1000,packets=100,launch=persistent,rate=1000000
check "persistent: ipsec" run ipsec --service ipsec,packets=40,launch=persistent,rate=200000
check "persistent: ipsec, sending" run seal \
    --service ipsec,direction=out,cipher=aes128,packets=6,launch=persistent,rate=200000
check "persistent: beside another one, events and a product" "$evgpu" run --tiles model --background 64 --no-alone \
    --service ipv4,packets=200,launch=persistent --service ipv6,route-count=2000,packets=200,launch=persistent \
    --service ipv4,packets=200,seed=3

refused() { # refused TEXT SETTINGS [OPTION...]
    text=$1
    settings=$2
    shift 2
    check "persistent: refused: $text" fails_with 2 "$text" "$evgpu" run --background 0 \
        --service "ipv4,packets=100,$settings" "$@"
}
refused "persistent_warps=65: each warp needs an entry of the NIC's queue, which has 64" launch=persistent,persistent_warps=65
refused "persistent_warps=0: must be 1 to" launch=persistent,persistent_warps=0
refused "persistent_warps: needs launch=persistent, not launch=edge" persistent_warps=4
refused "only 256 warps of ipv4_persistent fit on the GPU; it runs out of blocks" launch=persistent,persistent_warps=512 \
    --set nic.in_flight=512
check "persistent: at most half of the GPU, unless it is asked for" run half --set nic.in_flight=512 \
    --service ipv4,packets=100,launch=persistent
check "persistent: ... is 128 warps" sh -c "[ $(figure half warps) -eq 128 ]"
refused "blocks: a batch of the persistent kernel goes to one warp" launch=persistent,blocks
refused "fill: the persistent kernel" launch=persistent,fill
refused "execute=no: needs a launch per event" launch=persistent,execute=no
refused "kernel=program: needs launch=edge" launch=persistent,kernel=program

sed 's/pmevent 2;/trap;/' "$build/sw/services/ipv4/ipv4_persistent.ptx" >"$work/trap.ptx"
faulty() {
    ! run faulty --service "ipv4,packets=400,launch=persistent,kernel=$work/trap.ptx" --service ipv4,packets=300 &&
        grep -q '"298 packets equal' "$work/faulty.json" && grep -q 'trap.*398 packets failed' "$work/faulty.json"
}
check "persistent: a fault ends this service only" faulty

# A warp that ends without a word to the NIC: the others poll on, and nothing is got on with.
sed 's/pmevent 2;/pmevent 2; exit;/' "$build/sw/services/ipv4/ipv4_persistent.ptx" >"$work/silent.ptx"
hung() {
    ! run hung --watchdog 50000 --service "ipv4,packets=400,launch=persistent,kernel=$work/silent.ptx" >"$work/hung.out" &&
        grep -q 'hang: no progress for.*ipv4: NIC waits for completions' "$work/hung.out"
}
check "persistent: polls do not hide a hang" hung
# The silent kernel keeps the clock running while the other service's next packet is far away.
far() {
    ! run far --watchdog 50000 --service "ipv4,packets=400,launch=persistent,kernel=$work/silent.ptx" \
        --service ipv4,packets=3,pace=pps:1000 >"$work/far.out" &&
        grep -q 'hang: no progress for.*ipv4[^:]*: NIC waits for packet 2 of 3' "$work/far.out"
}
check "persistent: a NIC between two packets waits for none that it has" far

interrupted() {
    "$evgpu" run --background 0 --tiles model --json "$work/int.json" \
        --service ipv4,packets=3000000,launch=persistent >"$work/int.out" 2>&1 &
    pid=$!
    interrupt 1.5 $pid
    await $pid
    status=$?
    echo "status $status"
    [ "$status" -ne 0 ] && python3 -c "import json; json.load(open('$work/int.json'))"
}
check "persistent: SIGINT leaves whole statistics" interrupted

# A kernel that loads from the NIC, or stores where it has no business, is told so.
cat >"$work/bus.ptx" <<'END'
.version 3.2
.target sm_35
.address_size 64
.visible .entry store(.param .u64 at)
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [at];
    mov.u32 %r1, 1;
    st.global.u32 [%rd1], %r1;
    ret;
}
END
check "persistent: a store to the bus without a device" fails_with 1 "in the PCIe window, where no device has memory" \
    "$evgpu" kernel "$work/bus.ptx" store --grid 1 --block 1 --arg u64:0x10000000001000
finish
