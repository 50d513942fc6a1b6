# The packet services beside ipv4: every kind of frame of their generators, good and hostile, through
# event kernels; each is counted as what it is.
. tests/e2e/lib.sh.inc

# generate SERVICE FRACTION... : $work/SERVICE.pcap, with the generator's counts in $work/SERVICE.made
generate() {
    service=$1
    shift
    options=
    for kind; do options="$options --fraction $kind=30000"; done
    "$evgpu" pktgen --service "$service" -n 1500 --rate 4000000 --size 78-700 --seed 3 $options "$work/${service%%,*}.pcap" \
        >"$work/${service%%,*}.made"
}
made() { # made SERVICE KIND: how many frames
    awk -v kind="$2" '$1 == kind { n = $2 } END { print n + 0 }' "$work/$1.made"
}
counted() { # counted SERVICE TEXT: in the statistics
    sed -n "s/.*\"$2\": \([0-9]*\),*$/\1/p" "$work/$1.json" | head -1
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
check "ipv6: an MTU below 1280" fails_with 2 "mtu=1000: must be 0, or 1280 at least" "$evgpu" run --service ipv6,mtu=1000
finish
