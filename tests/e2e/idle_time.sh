# A capture of an hour: the time between packets costs little to simulate, whatever else is there.
. tests/e2e/lib.sh.inc

take() { # take SERVICE COUNT: its packets
    "$evgpu" pktgen --service "$1" --count "$2" "$work/$1.pcap" >"$work/out"
}
# hour SERVICE HOW OPTION...: verified, in at most 60 times the processor time of packets that come at one
# moment, and 60 s; to tick through an hour takes weeks.
hour() {
    python3 tests/e2e/retime.py "$work/$1.pcap" "$work/$1-$2.pcap" "$2"
    service=$1
    file=$work/$1-$2.pcap
    shift 2
    settings=$1
    shift
    ( ulimit -t "$limit" && exec "$evgpu" run --tiles model --json "$work/idle.json" \
        --service "$service,capture=$file$settings" "$@" ) >"$work/table" 2>"$work/errors" ||
        { tail -n 1 "$work/table" "$work/errors"; return 1; }
}
lasts() { # lasts SECONDS: of simulated time, at least
    python3 -c "import json, sys; sys.exit(json.load(open('$work/idle.json'))['cycles'] < $1 * 700e6)"
}

check "idle time: packets of four services" eval 'take ipv4 2000 && take ipv6 2000 && take memc 400 && take ipsec 100'
limit=$hang_limit
check "idle time: 2000 packets of one moment" hour ipv4 equal ,route-count=1000
times >"$work/times" # the second line is that of the commands so far
limit=$(awk -F '[ms]' 'NR == 2 { print 60 * (1 + int(60 * $1 + $2 + 60 * $3 + $4)) }' "$work/times")
for how in hour nano ng jump back; do
    check "idle time: 2000 packets, $how" hour ipv4 "$how" ,route-count=1000
    check "... in an hour" lasts 3500
done
check "idle time: ipv6" hour ipv6 hour ,route-count=1000
check "idle time: memc" hour memc hour ''
check "idle time: ipsec" hour ipsec hour ''
for launch in cpu hsa xtq gda; do
    check "idle time: launch=$launch" hour ipv4 hour ",route-count=1000,launch=$launch"
done
for policy in fixed:8 cm-cpu cm-bal1 cm-next dyncta; do
    check "idle time: --concurrency $policy" hour ipv4 hour ,route-count=1000 --concurrency $policy
done
check "idle time: memory with full/empty bits" hour ipv4 hour ,route-count=1000,fill --config gtx580.ini
check "idle time: beside a program that has ended" hour ipv4 hour ,route-count=1000 \
    --program "$build/apps/matrixMul --quiet 64 2"
check "... in an hour" lasts 3500
finish
