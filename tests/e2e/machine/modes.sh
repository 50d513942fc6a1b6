# Each launch mode x scheduling x tile back end on a small capture: everything verified, statistics
# equal over the back ends, and over two equal runs.
. tests/e2e/lib.sh.inc

"$evgpu" routes --count 5000 "$work/routes" >/dev/null
"$evgpu" pktgen --routes "$work/routes" --count 480 --rate 9000000 --fraction no-route=20000 --fraction bad-checksum=20000 \
    --fraction ttl-expired=20000 --fraction options=20000 --fraction arp=10000 "$work/small.pcap" \
    >/dev/null
run() { # run NAME OPTION...
    name=$1
    shift
    "$evgpu" run --capture "$work/small.pcap" --routes "$work/routes" --background 64 \
        --json "$work/$name.json" "$@"
}

for launch in edge cpu; do
    for sched in preempt drain reserve; do
        for tiles in verilator model lockstep; do
            check "$launch $sched $tiles" \
                run "$launch-$sched-$tiles" --launch "$launch" --sched "$sched" --tiles "$tiles"
        done
        for tiles in model lockstep; do
            check "$launch $sched: statistics of $tiles equal those of verilator" \
                same_figures "$work/$launch-$sched-verilator.json" "$work/$launch-$sched-$tiles.json"
        done
    done
done

for policy in oldest newest cheapest; do
    check "victim $policy" run "policy-$policy" --policy "$policy" --tiles lockstep --no-alone
done
check "victim least-registers, the model's" \
    run policy-least-registers --policy least-registers --tiles model --no-alone
for tiles in verilator lockstep; do
    check "victim least-registers: refused by $tiles" \
        fails_with 2 "least-registers: only the C model of the event unit has this victim policy" \
        "$evgpu" run --policy least-registers --tiles "$tiles"
done
for policy in core.l1_replacement=srrip l2.replacement=srrip dram.scheduler=fr-fcfs dram.scheduler=fcfs; do
    check "$policy" run "${policy%%=*}" --tiles model --no-alone --set "$policy"
done
for flush in 0 1 2 4 8; do
    check "flush optimisations $flush" run "flush-$flush" --flush "$flush" --tiles lockstep --no-alone
done
check "loads dropped by the artifact's rule" run drop-unsafe --flush drop-unsafe --tiles lockstep --no-alone
for sched in drain reserve; do
    check "$sched on a core that is chosen at once" \
        run "core-$sched" --sched "$sched" --set event.drain=core --tiles lockstep --no-alone
done
check "events as thread blocks" run blocks --blocks --tiles lockstep --no-alone
check "one entry in flight: the NIC waits, nothing is lost" \
    run tight --set nic.in_flight=1 --pace gbps:10 --no-alone
check "a second run gives the same statistics" run again
check "... bit for bit" same_figures "$work/again.json" "$work/edge-preempt-verilator.json"
check "what was forwarded" run forwarded --out "$work/forwarded.pcap" --no-alone
check "... is a capture whose packets can be forwarded again" \
    "$evgpu" run --capture "$work/forwarded.pcap" --routes "$work/routes" --background 0
"$evgpu" pktgen --routes "$work/routes" --count 300 --rate 1 --constant "$work/slow.pcap" >/dev/null
check "packets that are a second apart: idle time costs nothing" \
    limited "$evgpu" run --capture "$work/slow.pcap" --routes "$work/routes" --background 32 --no-alone
# Two captures of one packet each, the second a year later: pcap's seconds are bytes 24 to 27.
"$evgpu" pktgen --routes "$work/routes" --count 1 --fraction no-route=0 "$work/one.pcap" >/dev/null
{
    cat "$work/one.pcap"
    printf '\200\063\341\001' # 31,536,000
    tail -c +29 "$work/one.pcap"
} >"$work/year.pcap"
check "packets that are a year apart" limited "$evgpu" run --capture "$work/year.pcap" \
    --routes "$work/routes" --background 32 --no-alone --out "$work/year.out.pcap"
cp "$work/out" "$work/year"
check "... 31 million seconds of machine" grep -q 'Simulated  *220752[0-9]* cycles' "$work/year"
check "without background" run idle --background 0
finish
