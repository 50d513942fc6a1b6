# The two PCIe links against each other: whatever their bandwidth and latency, a launch never meets
# data that are still under way. Every packet would show it (its verdict would be 'not processed').
. tests/e2e/lib.sh.inc

"$evgpu" routes --count 500 "$work/routes" >/dev/null
"$evgpu" pktgen --routes "$work/routes" --count 300 --rate 9000000 --imix "$work/packets.pcap" >/dev/null
run() {
    "$evgpu" run --capture "$work/packets.pcap" --routes "$work/routes" --background 0 --tiles model "$@"
}
sweep() { # sweep OPTION...: all bandwidths and latencies
    for bandwidth in 50 500 4000 15754 1000000; do
        for latency in 1 350 10000 1000000; do
            run --set "pcie.bandwidth_mb_per_s=$bandwidth" --set "pcie.latency_ns=$latency" "$@" >"$work/one" 2>&1 &&
                grep -q '^VERIFIED' "$work/one" ||
                { echo "$bandwidth MB/s, $latency ns"; cat "$work/one"; return 1; }
        done
    done
}
for launch in edge cpu; do
    check "$launch: every bandwidth and latency" sweep --launch $launch
    check "$launch: ... with thread blocks" sweep --launch $launch --blocks
    check "$launch: ... with one entry in flight" sweep --launch $launch --set nic.in_flight=1
done
check "cpu: eight threads, polling slowly" sweep --launch cpu --set cpu.threads=8 --set cpu.poll_ns=3000
check "the command of the report" "$evgpu" run --packets 2000 --background 0 --no-alone --launch cpu \
    --tiles model --set pcie.bandwidth_mb_per_s=500
finish
