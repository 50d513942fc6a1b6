# A service of two kernels, NIC, IPsec, IPv4, NIC, in the four ways to run it: every packet is right, each verdict is
# counted as often as its kind of frame was made, no stage can be left out, and nothing waits for ever.
. tests/e2e/lib.sh.inc

region="--set fe.region_kib=1024"
run() { # run NAME SERVICE [OPTION...]
    name=$1
    service=$2
    shift 2
    # shellcheck disable=SC2086
    "$evgpu" run --background 0 --tiles model $region --json "$work/$name.json" --service "$service" "$@"
}
figure() { # figure NAME PATH
    jq -r "$2" "$work/$1.json"
}
made() { # made KIND...: frames of these kinds
    awk -v kinds=" $* " 'index(kinds, " " $1 " ") { n += $2 } END { print n + 0 }' "$work/made"
}
same() { # same NAME VERDICT KIND...: the verdict was counted as often as the kinds were made
    name=$1
    verdict=$2
    shift 2
    [ "$(made "$@")" -gt 0 ] && [ "$(figure "$name" ".guests.gateway.nic.dropped[\"$verdict\"]")" = "$(made "$@")" ]
}
is_true() { # is_true NAME EXPRESSION
    [ "$(figure "$1" "$2")" = true ]
}

options=
for kind in replay unknown-spi wrong-peer bad-padding bad-inner bad-length bad-checksum cut header other padded no-route \
    ttl-expired bad-inside; do
    options="$options --fraction $kind=30000"
done
# shellcheck disable=SC2086
check "pipeline: traffic of every kind" sh -c "'$evgpu' pktgen --service gateway,tunnels=20,route-count=500 -n 900 --rate 2000000 \
    --seed 3 $options '$work/gateway.pcap' >'$work/made'"
hostile=gateway,tunnels=20,route-count=500,seed=3,capture=$work/gateway.pcap
for way in edge-batch edge-words cpu-batch cpu-words; do
    check "pipeline: $way: every packet is right" run $way "$hostile,launch=${way%-*},hand=${way#*-},out=$work/$way.pcap"
    check "pipeline: $way: no route" same $way "no route" no-route
    check "pipeline: $way: TTL expired" same $way "TTL expired" ttl-expired
    check "pipeline: $way: bad inner checksum" same $way "bad inner checksum" bad-inside
    check "pipeline: $way: unknown SPI" same $way "unknown SPI" unknown-spi
    check "pipeline: $way: bad inner packet" same $way "bad inner packet" bad-inner
    check "pipeline: $way: the rest is forwarded" [ "$(figure $way .guests.gateway.nic.forwarded)" = "$(made ordinary padded)" ]
    check "pipeline: $way: none is lost" is_true $way '.guests.gateway | .packets_checked == 900 and .nic.lost == 0'
    check "pipeline: $way: both kernels have worked" is_true $way \
        '.guests.gateway.pipeline | .first.warp_instructions > 10 * .second.warp_instructions and .second.warp_instructions > 0
        and .first.runtime.count == .second.runtime.count'
done
# What was inside goes out: no ESP packet any more.
check "pipeline: what is sent can be forwarded again" run again "ipv4,route-count=500,seed=3,capture=$work/edge-words.pcap"

# Who launches: two doorbells a batch and no CPU, or two calls.
doorbells='.gpu.doorbells == 2 * .guests.gateway.nic.batches and .guests.gateway.cost.cpu_ns_per_packet == 0'
for hand in batch words; do
    check "pipeline: edge, $hand: two events for each batch, no CPU" is_true edge-$hand "$doorbells"
    check "pipeline: cpu, $hand: no doorbell, the CPU works" is_true cpu-$hand \
        '.gpu.doorbells == 0 and .guests.gateway.cost.cpu_ns_per_packet > 100'
done
# A second kernel that waits begins before the first one ends.
check "pipeline: by words, both run at the same time" is_true edge-words \
    '.guests.gateway.pipeline | .second.runtime.mean > .first.runtime.mean'
check "pipeline: by batches, one after the other" is_true edge-batch \
    '.guests.gateway.pipeline | .second.runtime.mean < .first.runtime.mean / 2'

# Room for both: more batches than cores, slots and event tables have places for, whole and single packets.
small=gateway,route-count=500,pace=gbps:10
for way in edge cpu; do
    check "pipeline: $way, batch: one core, 100 batches of 3 packets" run one \
        $small,packets=300,launch=$way,batch=3,in_flight=100 --set gpu.cores=1 --set gpu.kernels_running=3
    check "pipeline: $way, batch: an event for each packet" run each \
        $small,packets=100,launch=$way,batch=1,in_flight=100 --set gpu.cores=1
    check "pipeline: $way, words: two cores" run two $small,packets=300,launch=$way,hand=words --set gpu.cores=2 \
        --set gpu.kernels_running=2
    check "pipeline: $way, words: batches of 3 packets" run three $small,packets=300,launch=$way,hand=words,batch=3
done
# A warp of the first kernel's is never borrowed: with few contexts, words made that a deadlock.
for policy in oldest newest cheapest; do
    check "pipeline: words: no context is free, policy $policy" run few $small,packets=640,hand=words --policy $policy \
        --set gpu.cores=4 --set core.warps=8 --set core.threads=256 --set fe.timeout_us=3000
done
# What several of them hold up together on small cores ends with a time-out, and the others are verified.
several() {
    one="--service gateway,route-count=300,packets=200,pace=gbps:10,hand=words"
    # shellcheck disable=SC2086
    limited "$evgpu" run --background 0 --tiles model $region --set fe.timeout_us=2000 --set gpu.cores=2 --set core.warps=4 \
        --set core.threads=128 $one $one $one $one $one $one $one $one >"$work/several" 2>&1
    got=$?
    cat "$work/several"
    [ "$got" -eq 0 ] || { [ "$got" -eq 1 ] && grep -q "full/empty time-out: kernel gateway_route" "$work/several"; }
}
check "pipeline: words: eight of them on two small cores" several
check "pipeline: ... some of which are verified" grep -q "^Verdict  *verified" "$work/several"
for hand in batch words; do
    check "pipeline: $hand: beside a product, draining" "$evgpu" run --background 128 --no-alone --sched drain --tiles model \
        --set gpu.cores=4 $region --service gateway,route-count=500,packets=200,hand=$hand
    check "pipeline: $hand: reserved cores" "$evgpu" run --background 128 --no-alone --sched reserve --tiles model \
        $region --service gateway,route-count=500,packets=200,hand=$hand,in_flight=7
    check "pipeline: $hand: with the RTL, beside a product" "$evgpu" run --background 64 --no-alone --tiles lockstep $region \
        --service gateway,route-count=500,packets=64,hand=$hand,cipher=aes128
    check "pipeline: $hand: on three threads" "$evgpu" run --background 64 --no-alone --tiles model --threads 3 $region \
        --service gateway,route-count=500,packets=64,hand=$hand
done

# A first kernel that decrypts nothing, or hands nothing on.
kernel=$build/sw/services/gateway/gateway_open.ptx
fails_as() { # fails_as TEXT SETTINGS [OPTION...]: the verdict
    text=$1
    settings=$2
    shift 2
    run failed "gateway,route-count=500,packets=64,$settings" "$@" >"$work/failed" 2>&1
    [ $? -eq 1 ] && { grep -q "$text" "$work/failed" || { tail -n 3 "$work/failed"; return 1; }; }
}
sed 's/xor\.b32/or.b32/' "$kernel" >"$work/wrong.ptx"
for hand in batch words; do
    check "pipeline: $hand: a first kernel that does not decrypt is found out" fails_as "but the host reference says" \
        "hand=$hand,kernel=$work/wrong.ptx"
done
awk '/st.global.u32/ { last = NR } { line[NR] = $0 } END { for (i = 1; i <= NR; i++) if (i != last) print line[i] }' \
    "$kernel" >"$work/silent.ptx"
check "pipeline: words: a record that never comes ends the run" fails_as "full/empty time-out: kernel gateway_route" \
    "hand=words,kernel=$work/silent.ptx" --set fe.timeout_us=500
check "pipeline: batch: ... leaves the second kernel nothing" fails_as "but the host reference says" \
    "hand=batch,kernel=$work/silent.ptx"

refused() { # refused TEXT SETTINGS
    # shellcheck disable=SC2086
    check "pipeline: refused: $2" fails_with 2 "$1" "$evgpu" run $region --service "gateway,packets=64,$2"
}
for way in persistent gda hsa xtq; do
    refused "launch=$way: the second kernel of gateway is started by a doorbell (edge) or by the CPU" launch=$way
done
refused "fill: gateway would wait for itself" fill
refused "kernel=program: gateway has two kernels" kernel=program
refused "blocks: is for services of one kernel" blocks
refused "execute: is for services of one kernel" execute=no
refused "timeout_us: is for services of one kernel" timeout_us=10
refused "promise_rate: is for services of one kernel" promise_rate=1000
refused "batch=33: a pipeline's second kernel is one warp; at most 32" batch=33
refused "hand=words: at most 15 second kernels may wait at a time" hand=words,in_flight=16
refused "batch=1: with hand=words the first kernel must be able to start on any core" hand=words,batch=1
check "pipeline: refused: hand of one kernel" fails_with 2 "hand: ipv4 has one kernel" "$evgpu" run --service ipv4,hand=words
check "pipeline: refused: no memory with full/empty bits" fails_with 2 "hand=words: the machine has no memory with full/empty bits" \
    "$evgpu" run --service gateway,hand=words
check "pipeline: refused: a single core" fails_with 2 "hand=words: at most 0 second kernels" \
    "$evgpu" run $region --set gpu.cores=1 --service gateway,hand=words,launch=cpu
check "pipeline: refused: as many as reserved cores" fails_with 2 "set in_flight to at most 7" \
    "$evgpu" run $region --sched reserve --service gateway,hand=words
finish
