# Forwarding with a full Internet routing table, where one is at hand.
. tests/e2e/lib.sh.inc

table=../shared/data/bgp_prefixes.txt.gz
if [ ! -r "$table" ]; then
    skip "$table is not there"
    exit 0
fi
"$evgpu" pktgen --count 2000 --routes "$table" "$work/real.pcap" >/dev/null
check "2000 packets through 901,899 routes" "$evgpu" run --routes "$table" \
    --capture "$work/real.pcap" --background 64 --no-alone

"$evgpu" pktgen --service ipv6 --count 2000 --routes "$table" "$work/real6.pcap" >/dev/null
check "2000 packets through 160,147 IPv6 routes" "$evgpu" run --service \
    "ipv6,routes=$table,capture=$work/real6.pcap" --background 64 --no-alone
finish
