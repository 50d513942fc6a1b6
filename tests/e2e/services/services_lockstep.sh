# Every service once with both back ends of the tiles compared at every edge, beside a background.
. tests/e2e/lib.sh.inc

lockstep() { # lockstep SETTINGS: the same statistics as the model's
    for tiles in lockstep model; do
        "$evgpu" run --tiles $tiles --service "$1" --json "$work/$tiles.json" \
            --program "$build/apps/matrixMul --quiet 96 2" >"$work/table" 2>"$work/errors" ||
            { tail -n 2 "$work/table" "$work/errors"; return 1; }
    done
    same_figures "$work/lockstep.json" "$work/model.json"
}
while read -r settings; do
    check "lockstep: $settings" lockstep "$settings"
done <<'LIST'
ipv4,packets=960,route-count=1000
ipv4,packets=2000,route-count=1000,blocks
ipv6,packets=960,route-count=1000
memc,packets=160
memc,packets=160,protocol=binary
ipsec,packets=40
ipsec,packets=40,cipher=aes128
ipsec,packets=6,direction=out
ipsec,packets=12,direction=out,cipher=aes128
LIST
all() {
    "$evgpu" run --tiles lockstep --service ipv4,packets=320,route-count=1000 --service ipv6,packets=320,route-count=1000 \
        --service memc,packets=64 --service ipsec,packets=16 --program "$build/apps/matrixMul --quiet 96 2"
}
check "lockstep: all four services on one machine" all
finish
