# The mesh alone: closed form at zero load, saturation, the same twice, bad values.
. tests/e2e/lib.sh.inc

mesh() {
    "$evgpu" mesh --json "$work/mesh.json" "$@"
}
figure() { # figure NAME CONDITION: an awk condition on its value x
    awk -F '[:,]' -v name="\"$1\"" '$1 ~ name { x = $2 } END { exit !('"$2"') }' "$work/mesh.json"
}

# 6 x 6, uniform: 35/9 hops on average; (hops + 1) * 3 + 1 ticks.
check "a load near none" mesh --rate 0.005 --ticks 20000
check "... has the latency of the closed form" figure latency 'x > 15.4 && x < 15.9'
check "packets of 5 flits, routers of 3 stages, links of 2 ticks" mesh --rate 0.005 --ticks 20000 \
    --flits 5 --router-delay 3 --link-delay 2 --buffer 8
check "... too" figure latency 'x > 28.8 && x < 30.5'
cp "$work/mesh.json" "$work/first.json"
check "the same again" mesh --rate 0.005 --ticks 20000 --flits 5 --router-delay 3 --link-delay 2 --buffer 8
check "... gives the same figures" same_figures "$work/first.json" "$work/mesh.json"
check "half a flit per node and tick" mesh --rate 0.45 --ticks 3000
check "... is carried" figure carried 'x > 0.43 && x < 0.47'
check "more than it can carry" mesh --rate 0.9 --ticks 1000
check "... is not" figure carried 'x > 0.4 && x < 0.67'
check "... and it says so" figure saturated 'x ~ /true/'
check "requests and replies of a pair in order" mesh --pattern reply --flits 5 --rate 0.1 --ordered --ticks 2000
check "... are carried" figure carried 'x > 0.09'
check "allocation by output, two rounds" mesh --allocation output --iterations 2 --rate 0.9 --ticks 1000
check "... carry more" figure carried 'x > 0.5 && x < 0.67'
check "all packets to one node" mesh --pattern hotspot --hot-node 14 --hot-percent 100 --rate 0.1 --ticks 1000
check "... which takes a flit per tick" figure carried 'x > 0.02 && x < 0.029'
check "an allocation that is none" fails_with 2 "must be input or output" "$evgpu" mesh --allocation x
check "a hot spot outside" fails_with 2 "the hot spot is node 36, but the mesh has 36 nodes" "$evgpu" mesh --pattern hotspot --hot-node 36
check "a pattern that is none" fails_with 2 "must be uniform, transpose, hotspot or reply" "$evgpu" mesh --pattern x
check "no virtual channel" fails_with 2 "--vcs: '0' is not a whole number from 1 to 8" "$evgpu" mesh --vcs 0
check "too many nodes" fails_with 2 "width * height is 289" "$evgpu" mesh --size 17x17
check "no size" fails_with 2 "must be WIDTHxHEIGHT" "$evgpu" mesh --size 6
check "transpose of what is no square" fails_with 2 "must be square, not 4 x 6" "$evgpu" mesh --size 4x6 --pattern transpose
check "a rate that is none" fails_with 2 "must be a number above 0 and up to 1" "$evgpu" mesh --rate 2
check "a size of more digits than there are nodes" fails_with 2 "must be WIDTHxHEIGHT, of 256 routers at most" \
    "$evgpu" mesh --size 65536x65536

# The first refusal names the whole range: a number that it allows is taken.
range() { # range OPTION LEAST MOST
    fails_with 2 "$1: '$(($2 - 1))' is not a whole number from $2 to $3" "$evgpu" mesh --ticks 10 "$1=$(($2 - 1))" &&
        fails_with 2 "$1: '$(($3 + 1))' is not a whole number from $2 to $3" "$evgpu" mesh --ticks 10 "$1=$(($3 + 1))" &&
        "$evgpu" mesh --ticks 10 --warmup 0 "$1=$3" && "$evgpu" mesh --ticks 10 --warmup 0 "$1=$2"
}
check "range of the virtual channels" range --vcs 1 8
check "range of their buffers" range --buffer 1 64
check "range of a router's stages" range --router-delay 1 16
check "range of a link's delay" range --link-delay 1 16
check "range of a credit's delay" range --credit-delay 1 16
check "range of the rounds" range --iterations 1 8
check "range of a packet's flits" range --flits 1 64
check "a percentage above 100" fails_with 2 "whole number from 0 to 100" "$evgpu" mesh --pattern hotspot --hot-percent 101
check "no tick to measure" fails_with 2 "whole number from 1 to 1000000000" "$evgpu" mesh --ticks 0

# Machines on a mesh: maps that cannot be, and that the small machine differs where it says so only.
machine() {
    "$evgpu" run --config cm-bal.ini --program true "$@"
}
small_differs() {
    "$evgpu" config cm-bal.ini | grep -v placement >"$work/large" &&
        "$evgpu" config cm-bal-4sm.ini | grep -v placement >"$work/small" &&
        diff "$work/large" "$work/small" | sed -n 's/^> //p' | cmp - "$work/differ"
}
cat >"$work/differ" <<'END'
gpu.cores=4
network.cores_per_node=1
l2.partitions=2
event.reserved_cores=2
cpu_core.count=3
END
check "cm-bal-4sm.ini is cm-bal.ini with fewer of everything" small_differs
check "a letter that is none" fails_with 2 "network.placement: row 2, column 1 of the map: 'X' is none of" \
    machine --set network.placement=GG/XG
check "rows of different length" fails_with 2 "row 2 of the map has 3 nodes, the first one has 2" \
    machine --set network.placement=GG/GGG
check "more SIMT cores than the map holds" fails_with 2 ": the map of 6 x 6 nodes marks 14 nodes 'G', but 30 SIMT" \
    machine --set gpu.cores=30
check "fewer partitions than the map holds" fails_with 2 "8 nodes 'M', but 7 memory partitions" machine --set l2.partitions=7
check "more CPU cores than the map holds" fails_with 2 "14 nodes 'C', but 15 CPU cores" machine --set cpu_core.count=15
check "no memory controller" fails_with 2 "l2.partitions: 0 is out of range" machine --set l2.partitions=0
check "no place for the host" fails_with 2 "0 nodes 'H'" machine --set network.placement=GGGGGG/GGGGGG/GGCCCC/CCCCCC/CCCCMM/MMMMMM
check "a mesh without a map" fails_with 2 "needs a map of its nodes" machine --set network.placement=none
check "controllers for the CPU cores: none left" fails_with 2 "leaves none for the CPU cores" machine --set l2.gpu_partitions=8
check "parts of a crossbar" fails_with 2 "must be shared with a crossbar" machine --set network.kind=crossbar --set network.parts=1G3C
check "a crossbar's order of a mesh" fails_with 2 "network.input_order: must be voq with a mesh" machine --set network.input_order=fifo
finish
