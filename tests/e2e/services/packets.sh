# The packet services beside ipv4: every kind of frame of their generators, good and hostile, through
# event kernels; each is counted as what it is.
. tests/e2e/lib.sh.inc

# generate SERVICE FRACTION... : $work/SERVICE.pcap, with the generator's counts in $work/SERVICE.made
generate() {
    service=$1
    shift
    case $service in
    ipv6* | echo*) options='--size 78-700' ;;
    *) options= ;; # frames with sizes of their own
    esac
    for kind; do options="$options --fraction $kind=30000"; done
    "$evgpu" pktgen --service "$service" -n 1500 --rate 4000000 --seed 3 $options "$work/${service%%,*}.pcap" \
        >"$work/${service%%,*}.made"
}
made() { # made SERVICE KIND: how many frames
    awk -v kind="$2" '$1 == kind { n = $2 } END { print n + 0 }' "$work/$1.made"
}
counted() { # counted SERVICE TEXT: in the statistics
    figures "$work/$1.json" | sed -n "s/.*\"$2\": \([0-9]*\),*$/\1/p" | head -1
}
same() { # same SERVICE VERDICT KIND...: the verdict was counted as often as the kinds were made
    service=$1
    verdict=$2
    shift 2
    total=0
    for kind; do total=$((total + $(made "$service" "$kind"))); done
    got=$(counted "$service" "$verdict")
    echo "$verdict: $got counted, $total made"
    [ "$total" -gt 0 ] && [ "$got" = "$total" ]
}
run() { # run NAME OPTION...
    name=$1
    shift
    "$evgpu" run --background 0 --tiles model --json "$work/$name.json" "$@"
}

check "ipv6: traffic of every kind" generate ipv6,route-count=5000 no-route hop-limit too-big bad-length \
    bad-version bad-address extension icmp-error arp ipv4 vlan
check "ipv6: is forwarded, or refused" run ipv6 \
    --service ipv6,route-count=5000,seed=3,mtu=1280,capture="$work/ipv6.pcap" --tiles lockstep
check "ipv6: no route" same ipv6 "no route" no-route
check "ipv6: hop limit exceeded" same ipv6 "hop limit exceeded" hop-limit icmp-error
check "ipv6: packet too big" same ipv6 "packet too big" too-big
check "ipv6: too short" same ipv6 "too short" bad-length
check "ipv6: bad header" same ipv6 "bad header" bad-version
check "ipv6: address that no router forwards" same ipv6 "address not routable" bad-address
check "ipv6: errors are not answered" sh -c "[ $(counted ipv6 'time exceeded') -eq $(made ipv6 hop-limit) ]"
check "ipv6: the rest has been forwarded" same ipv6 forwarded ordinary extension
cp "$work/ipv6.json" "$work/first.json"
check "ipv6: a second run, beside a product" "$evgpu" run --service \
    ipv6,route-count=5000,seed=3,mtu=1280,capture="$work/ipv6.pcap",out="$work/sent.pcap" --background 64 --tiles model
check "ipv6: what was sent can be replayed" run again --service ipv6,route-count=5000,seed=3,capture="$work/sent.pcap"
check "ipv6: launched by a CPU" run cpu --service ipv6,route-count=2000,packets=200,launch=cpu,rate=1000000
check "ipv6: thread blocks" run blocks --service ipv6,route-count=2000,packets=600,blocks
check "ipv6: with 16 registers" run few --service ipv6,route-count=2000,packets=200,registers=16
check "ipv6: beside ipv4" run both --service ipv6,route-count=2000,packets=300 --service ipv4,route-count=1000,packets=300
check "ipv6: an MTU below 1280" fails_with 2 "mtu=1000: must be 0 or at least 1280" "$evgpu" run --service ipv6,mtu=1000

check "memc: traffic of every kind" generate memc,sets=3000,key=19,value=33 miss gets binary binary-key quiet-miss several unknown \
    bad-checksum bad-udp-checksum bad-udp-length bad-frame bad-request bad-key cut header other
memc=memc,sets=3000,key=19,value=33,seed=3
check "memc: is answered, or refused" run memc --service $memc,capture="$work/memc.pcap" --tiles lockstep
check "memc: misses of quiet gets" same memc "miss of a quiet get" quiet-miss
check "memc: several keys or commands" same memc "several keys or commands" several
check "memc: unknown command" same memc "unknown command" unknown
check "memc: bad checksum" same memc "bad checksum" bad-checksum
check "memc: bad UDP checksum" same memc "bad UDP checksum" bad-udp-checksum
check "memc: bad UDP length" same memc "bad UDP length" bad-udp-length
check "memc: bad frame header" same memc "bad frame header" bad-frame
check "memc: bad request" same memc "bad request" bad-request
check "memc: bad key" same memc "bad key" bad-key
check "memc: too short" same memc "too short" cut
check "memc: bad header" same memc "bad header" header
check "memc: not for memcached" same memc "not for memcached" other
check "memc: the rest has been answered" same memc forwarded ordinary miss gets binary binary-key
check "memc: beside a product, replies as a capture" run memc2 --service $memc,capture="$work/memc.pcap",out="$work/replies.pcap" --background 64 --no-alone
check "memc: ... in which there is no request" run memc3 --service $memc,udp_port=0,capture="$work/replies.pcap"
check "memc: ... but other commands" grep -q '"forwarded": 0' "$work/memc3.json"
check "memc: 16 K entries, 8 K items" run memc4 --service memc,packets=100
check "memc: ... as the figures say" grep -q '"entries": 16384' "$work/memc4.json"
check "memc: launched by a CPU" run memc5 --service memc,packets=100,launch=cpu,rate=500000,protocol=binary
check "memc: thread blocks, 40 registers" run memc6 --service memc,packets=600,blocks,registers=40
check "memc: in memory with full/empty bits" run memc9 --service memc,fill,key=15,packets=100 --set fe.region_kib=4096
check "memc: a small table that is full" run memc7 --service memc,packets=100,sets=64,entries=64,key=250,value=1000
check "memc: a table that is too small" fails_with 2 "65 items do not fit into a table of 64 entries; raise entries" \
    "$evgpu" run --service memc,sets=65,entries=64
check "memc: beside ipv4 and ipv6" run memc8 --service memc,packets=64 --service ipv4,packets=64 --service ipv6,packets=64

check "ipsec: traffic of every kind" generate ipsec,tunnels=20 replay unknown-spi wrong-peer bad-padding bad-inner bad-length \
    bad-checksum cut header other padded
ipsec=ipsec,tunnels=20,seed=3
check "ipsec: is opened, or refused" run ipsec --service $ipsec,capture="$work/ipsec.pcap",out="$work/opened.pcap"
check "ipsec: replays" same ipsec replay replay
check "ipsec: unknown SPI" same ipsec "unknown SPI" unknown-spi
check "ipsec: wrong peer" same ipsec "wrong peer" wrong-peer
check "ipsec: bad padding" same ipsec "bad padding" bad-padding
check "ipsec: bad inner packet" same ipsec "bad inner packet" bad-inner
check "ipsec: bad length" same ipsec "bad ESP length" bad-length
check "ipsec: bad checksum" same ipsec "bad checksum" bad-checksum
check "ipsec: too short" same ipsec "too short" cut
check "ipsec: bad header" same ipsec "bad header" header
check "ipsec: not ESP" same ipsec "not ESP" other
check "ipsec: the rest has been opened" same ipsec forwarded ordinary padded
check "ipsec: what was inside can be forwarded" run ipsec2 --service ipv4,route-count=1000,capture="$work/opened.pcap"
check "ipsec: one warp per packet" grep -q '"batch": 1,' "$work/ipsec.json"
check "ipsec: AES, lockstep, beside a product" run ipsec3 --service ipsec,cipher=aes128,packets=60 --tiles lockstep --background 64 --no-alone
check "ipsec: long packets" run ipsec4 --service ipsec,packets=40,payload=1424,icv=12
check "ipsec: launched by a CPU" run ipsec5 --service ipsec,packets=40,launch=cpu,rate=200000
check "ipsec: thread blocks, 24 registers" run ipsec6 --service ipsec,packets=100,blocks,batch=20,registers=24
check "ipsec: in memory with full/empty bits" run ipsec7 --service ipsec,fill,packets=40 --set fe.region_kib=4096
check "ipsec: two packets for one warp" fails_with 2 "a one-warp event takes at most 1 packets" \
    "$evgpu" run --service ipsec,batch=2
check "ipsec: payloads are whole blocks" fails_with 2 "payload=100: must be a multiple of 8" "$evgpu" run --service ipsec,payload=100

# Plain packets into one gateway, what it sends into the other, and out comes what went in.
seal=ipsec,direction=out,tunnels=20,seed=3,payload=64
check "ipsec, out: traffic of every kind" "$evgpu" pktgen --service $seal -n 60 --fraction no-policy=100000 --fraction bad-checksum=100000 \
    --fraction bad-length=100000 --fraction bad-version=100000 --fraction options=100000 "$work/plain.pcap"
cp "$work/out" "$work/seal.made"
check "ipsec, out: is sealed, or refused" run seal --service $seal,capture="$work/plain.pcap",out="$work/sealed.pcap"
check "ipsec, out: no policy" same seal "no policy" no-policy
check "ipsec, out: bad checksum" same seal "bad checksum" bad-checksum
check "ipsec, out: too short" same seal "too short" bad-length
check "ipsec, out: bad header" same seal "bad header" bad-version
check "ipsec, out: the rest has been sealed" same seal forwarded ordinary options
check "ipsec: opens what was sealed" run unseal --service ipsec,tunnels=20,seed=3,capture="$work/sealed.pcap",out="$work/unsealed.pcap"
check "ipsec: ... all of it" sh -c "[ $(counted seal forwarded) -gt 0 ] && [ $(counted seal forwarded) -eq $(counted unseal forwarded) ]"
check "ipsec: ... as it was" python3 tests/e2e/services/same_packets.py "$work/plain.pcap" "$work/unsealed.pcap"
check "ipsec, out: AES, lockstep" run seal2 --service $seal,cipher=aes128,packets=20 --tiles lockstep
for name in - /dev/stdin; do
    piped="cat '$work/plain.pcap' | '$evgpu' run --background 0 --tiles model --service $seal,capture=$name"
    check "a capture from a pipe, $name" sh -c "$piped"
    check "a compressed capture from a pipe, $name" sh -c "gzip <'$work/plain.pcap' | ${piped#* | }"
done
printf '1000 3des %048d 10.1.1.1 10.2.2.2 10.0.0.0/8\n2000 aes128 %032d\n' 1 2 >"$work/sas"
check "ipsec, out: associations of a file" run seal3 --service "ipsec,direction=out,payload=48,sas=$work/sas,packets=10"
check "ipsec, out: without a network" fails_with 2 "no association protects a network" \
    sh -c "tail -n 1 $work/sas >$work/sas2; $evgpu run --service ipsec,direction=out,sas=$work/sas2"

# Datagrams go back to their senders; what comes back from there is what was sent at first.
check "echo: traffic of every kind" generate echo other-port loop bad-checksum bad-length bad-version options
check "echo: is answered, or refused" run echo --service echo,capture="$work/echo.pcap",out="$work/echoes.pcap" --tiles lockstep
check "echo: another port" same echo "not for the echo port" other-port
check "echo: loop" same echo "echo loop" loop
check "echo: bad checksum" same echo "bad checksum" bad-checksum
check "echo: too short" same echo "too short" bad-length
check "echo: bad header" same echo "bad header" bad-version
check "echo: the rest has been answered" same echo forwarded ordinary options
check "echo: answers are no requests" run echo2 --service echo,capture="$work/echoes.pcap"
check "echo: ... to the port" grep -q '"forwarded": 0' "$work/echo2.json"
check "echo: ... but are answered on any" run echo3 --service echo,udp_port=0,capture="$work/echoes.pcap",out="$work/again.pcap"
check "echo: ... and give what was sent" python3 tests/e2e/services/same_packets.py "$work/echo.pcap" "$work/again.pcap"
check "echo: by a persistent kernel" run echo4 --service echo,packets=300,launch=persistent
check "echo: thread blocks" run echo5 --service echo,packets=600,blocks
check "echo: in memory with full/empty bits" run echo6 --service echo,fill,packets=100 --set fe.region_kib=4096

# Frames that are right up to some header and noise from there on.
for service in ipv4,route-count=1000 ipv6,route-count=1000 memc,offload echo,udp_port=0 "ipsec,sas=$work/sas" "ipsec,direction=out,sas=$work/sas"; do
    python3 tests/e2e/services/hostile.py "$work/hostile.pcap" 7
    check "hostile frames: ${service%%=*}" run hostile --service "$service,capture=$work/hostile.pcap"
done

# The NIC drops what it cannot keep; the rest is right.
check "all four services at more than they can take" run four --service ipv4,packets=300,rate=100000000,drop \
    --service ipv6,packets=300,rate=100000000,drop --service memc,packets=300,rate=100000000,drop \
    --service ipsec,packets=60,rate=100000000,drop --set nic.buffer_kib=4 --set nic.in_flight=4
check "... drop, and count it" sh -c "grep '\"lost\": [1-9]' $work/four.json"
finish
