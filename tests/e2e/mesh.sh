# The mesh alone: closed form at zero load, saturation, the same twice, bad values.
. tests/e2e/lib.sh.inc

mesh() {
    "$evgpu" mesh --json "$work/mesh.json" "$@"
}
figure() { # figure NAME CONDITION: an awk condition on its value x
    awk -F '[:,]' -v name="\"$1\"" '$1 ~ name { x = $2 } END { exit !('"$2"') }' "$work/mesh.json"
}

# 6 x 6, uniform: 35/9 hops on average; (hops + 1) * 2 + 1 ticks.
check "a load near none" mesh --rate 0.005 --ticks 20000
check "... has the latency of the closed form" figure latency 'x > 10.5 && x < 11'
check "packets of 5 flits, routers of 3 stages, links of 2 ticks" mesh --rate 0.005 --ticks 20000 \
    --flits 5 --router-delay 3 --link-delay 2 --buffer 8
check "... too" figure latency 'x > 24 && x < 25.5'
cp "$work/mesh.json" "$work/first.json"
check "the same again" mesh --rate 0.005 --ticks 20000 --flits 5 --router-delay 3 --link-delay 2 --buffer 8
check "... gives the same figures" cmp "$work/first.json" "$work/mesh.json"
check "half a flit per node and tick" mesh --rate 0.45 --ticks 3000
check "... is carried" figure carried 'x > 0.43 && x < 0.47'
check "more than it can carry" mesh --rate 0.9 --ticks 1000
check "... is not" figure carried 'x > 0.4 && x < 0.67'
check "... and it says so" figure saturated 'x ~ /true/'
check "requests and replies of a pair in order" mesh --pattern reply --flits 5 --rate 0.1 --ordered --ticks 2000
check "... are carried" figure carried 'x > 0.09'
check "a pattern that is none" fails_with 2 "must be uniform, transpose, hotspot or reply" "$evgpu" mesh --pattern x
check "no virtual channel" fails_with 2 "virtual channels is 0, must be 1 to 8" "$evgpu" mesh --vcs 0
check "too many nodes" fails_with 2 "width * height is 289" "$evgpu" mesh --size 17x17
check "no size" fails_with 2 "must be WIDTHxHEIGHT" "$evgpu" mesh --size 6
check "transpose of what is no square" fails_with 2 "must be a square, not 4 x 6" "$evgpu" mesh --size 4x6 --pattern transpose
check "a rate that is none" fails_with 2 "must be 0 to 1" "$evgpu" mesh --rate 2
finish
