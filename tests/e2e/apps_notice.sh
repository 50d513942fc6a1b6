# An application whose kernel computes something else ends with status 1 and names the first value that
# differs. A line of the table: NAME ARGUMENT..., and below it how its PTX is altered (sed).
. tests/e2e/lib.sh.inc

top=$PWD
case $build in /*) ;; *) build=$top/$build ;; esac
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model'

notices() { # notices CHANGE NAME ARGUMENT...: run where its PTX is the altered one
    change=$1
    name=$2
    shift 2
    mkdir -p "$work/sw/apps/$name"
    for file in "$build/sw/apps/$name"/*.ptx; do
        altered=$work/${file#"$build/"}
        sed "$change" "$file" >"$altered"
        ! cmp -s "$file" "$altered" || { echo "$file is as it was"; return 1; }
    done
    (cd "$work" && limited "$build/apps/$name" "$@" >"$work/said")
    status=$?
    cat "$work/said"
    [ $status -eq 1 ] && grep -q "^$name: .*the host has " "$work/said" &&
        [ "$(tail -n 1 "$work/said")" = "$name: WRONG" ]
}
while read -r name arguments; do
    read -r change
    check "$name notices $change" notices "$change" "$name" $arguments
done <<'END'
vectorAdd 1000
s/add.f32/sub.f32/
matrixMul 40
s/fma.rn.f32/fma.rz.f32/
hotspot --side 37 --steps 5
s/fma.rn.f32/fma.rz.f32/
histogram64 --kilobytes 31
s/, 4032;/, 3968;/
pathfinder --columns 600 --rows 30
s/min.s32/max.s32/;s/min.u32/max.u32/
backprop --nodes 528
0,/add.f32/s/add.f32/sub.f32/
backprop --nodes 528
0,/mul.f64/s/mul.f64/add.f64/
kmeans --points 700 --features 9 --clusters 4 --rounds 3
s/sub.f32/add.f32/
lud --rows 64
s/div.rn.f32/div.rz.f32/
srad --rows 48 --columns 64 --region 16
0,/fma.rn.f32/s/fma.rn.f32/fma.rz.f32/
streamcluster --points 50 --dimensions 3 --chunk 20 --least 2 --most 3
s/fma.rn.f32/fma.rz.f32/
convColor --images 37 --image-side 7
s/fma.rn.f32/fma.rz.f32/
convSparse --images 5 --image-side 4 --colours 8 --groups 2
s/fma.rn.f32/fma.rz.f32/
sssp --nodes 300
s/setp.gt.u32/setp.eq.u32/
mst --nodes 300
s/atom.global.add.u64/atom.global.max.u64/
pageViewCount --lines 100
/mars_reduce(/,$ s/sub.s32/add.s32/
pageViewRank --lines 300
/mars_copy(/,/^}/ s/mul.lo.s32/add.s32/
invertedIndex --documents 2 --bytes 1000
s/, 34;/, 35;/
mummer --reference 300 --queries 40
s/v2.u32\(.*\), {\(.*\), \(.*\)};/v2.u32\1, {\3, \2};/
surveyPropagation --variables 40 --clauses 168
s/atom.global.max/atom.global.min/
END
finish
