# The seven applications of the full/empty-bits paper by its four patterns of calls (--mode), small;
# each checks its results, the last one with model and Verilog in lockstep. The patterns with full/empty
# bits are faster where the paper says so.
. tests/e2e/lib.sh.inc

run() { # run FILE APPLICATION...: its figures in FILE
    file=$1
    tiles=model
    [ "${file%overlap}" = "$file" ] || tiles=lockstep
    shift
    limited "$evgpu" run --config gtx580.ini --tiles $tiles --program "$build/apps/$*" >"$file" && cat "$file"
}
runtime() { # runtime FILE, in nanoseconds
    sed -n 's/^figure runtime \([0-9.]*\) us$/\1/p' "$1" | awk '{ printf "%d\n", $1 * 1000 }'
}
faster() { # faster FILE THAN
    [ "$(runtime "$1")" -lt "$(runtime "$2")" ] || { echo "$(runtime "$1") ns, $(runtime "$2") ns"; return 1; }
}

while read -r name arguments; do
    for mode in baseline start finish overlap; do
        check "$name $arguments --mode $mode" run "$work/$name.$mode" "$name" $arguments --mode $mode
    done
    for mode in start finish overlap; do
        [ "$name $mode" = "histogram64 finish" ] || # its result is there at the end only
            check "... $mode is faster" faster "$work/$name.$mode" "$work/$name.baseline"
    done
    check "... and both together most" eval "faster $work/$name.overlap $work/$name.start && faster $work/$name.overlap $work/$name.finish"
done <<'END'
vectorAdd 8192
matrixMul 32
histogram64 --kilobytes 31
blackScholes --options 2000
bfs --nodes 4096
hotspot --side 30 --steps 5
fibLookup --threads 100 --routes 500
END

# More levels than there are words for them: words are emptied again and used twice.
awk 'BEGIN { n = 80; print n; for (v = 0; v < n; v++) print v, v < n - 1; print 0; print n - 1
    for (v = 1; v < n; v++) print v, 1 }' >"$work/path"
for mode in finish overlap; do
    check "bfs of a path, $mode" run "$work/path.$mode" bfs --graph "$work/path" --mode $mode
done
no_region() {
    EVGPU_CONFIG=gtx480.ini "$build/apps/vectorAdd" --elements 100 --mode overlap 2>"$work/text"
    [ $? -eq 3 ] && grep -q "machine gtx480 has no memory with full/empty bits; set fe.region_kib, or take gtx580.ini" "$work/text"
}
check "no such memory: an error" no_region
check "no such mode: an error" fails_with 2 "--mode is 'early'; it must be one of baseline, start, finish, overlap" \
    "$build/apps/vectorAdd" --mode early
finish
