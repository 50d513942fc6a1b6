# The list of fields (evgpu stats --fields): runs of every kind have no field that is not in it, and it has
# none that no run gives; the page shows it.
. tests/e2e/lib.sh.inc

out=$work/results
mkdir "$out"
small="--tiles model --no-profile --no-alone"
run() { # run NAME OPTION...
    name=$1
    shift
    # shellcheck disable=SC2086
    limited "$evgpu" run $small --json "$out/$name.json" "$@" >"$work/$name.out" 2>&1 ||
        { tail -n 3 "$work/$name.out"; return 1; }
}
ipv4=ipv4,packets=96,route-count=1000
check "fields: the details of a service that preempts" run details --details --background 256 --products 1 \
    --service ipv4,packets=320,route-count=1000
check "fields: the details of launches by the CPU" run details2 --details --background 0 --service $ipv4,launch=cpu
check "fields: a service beside a program, and the program alone" run main --alone --background 64 --products 2 \
    --packets 320 --route-count 1000
for way in cpu persistent gda hsa xtq; do
    check "fields: launch $way" run $way --background 0 --service $ipv4,launch=$way
done
check "fields: IPv6 and memcached" run two --service ipv6,packets=96,route-count=1000 --service memc,packets=96
check "fields: IPsec and echo" run two2 --service ipsec,packets=16 --service echo,packets=64
check "fields: a service of two kernels" run pipeline --background 0 --service gateway,packets=64
check "fields: a time-out" run timeout --service $ipv4,timeout_us=30
check "fields: a promise" run promise --service ipv4,packets=300,pace=pps:400000,p99=1500,promise_rate=400000
check "fields: a program and its repetitions" run repeat --repeat=2 --copies 1 --set event.room=yes --service $ipv4 \
    --program "$build/apps/vectorAdd 1000"
check "fields: a program of which every second kernel is timed" run timing --timing every:2 \
    --program "$build/apps/matrixMul 32 3"
check "fields: a sample of its kernels" run sample --sample --program "$build/apps/matrixMul 32 3"
check "fields: the synchronised region" run region --config gtx580.ini \
    --program "$build/apps/vectorAdd --elements 4096 --mode overlap"
check "fields: CPU cores and a measured program" run cores --config cm-bal.ini --cpus L1 --program "$build/apps/bfs" \
    --cpu-warmup 500 --cpu-quota 1000 --gpu-quota 100000 --concurrency cm-bal1
sed 's/pmevent 2;/trap;/' "$build/sw/services/ipv4/ipv4_persistent.ptx" >"$work/trap.ptx"
trap_fails() { ! run trap --service "$ipv4,launch=persistent,kernel=$work/trap.ptx"; }
check "fields: a service that fails" trap_fails

cat >"$work/load.ptx" <<'END'
.version 6.0
.target sm_20
.address_size 64
.visible .entry load(.param .u64 from)
{
    .reg .u64 %rd<3>;
    .reg .u32 %r<3>;
    ld.param.u64 %rd1, [from];
    ld.global.u32 %r1, [%rd1];
    st.global.u32 [%rd1+4], %r1;
    ret;
}
END
check "fields: a kernel" "$evgpu" kernel "$work/load.ptx" load --arg zero:4096 --set core.l1_bytes=65536 --tiles model --json "$out/kernel.json"
check "fields: a mesh" "$evgpu" mesh --ticks 500 --json "$out/mesh.json"
check "fields: a bench" "$evgpu" bench --only mesh --repeat 1 --json "$out/bench.json"
check "fields: the model of threads" "$evgpu" bench --threads-model --only "BFS 4096" --json "$out/threads.json"
check "fields: a CPU trace" "$evgpu" cputrace --describe mcf --count 1000 --json "$out/trace.json"
cat >"$work/small.ini" <<END
[experiment]
title = A program and a mesh
[vary load]
low = 0.01
[vary part]
mean = latency
tail = p99
[simulation mesh]
over = load
command = mesh
ticks = 100
rate = {load}
[simulation program]
over = load
tiles = model
program = vectorAdd 1000
[figures mesh]
ticks = {part} ticks
packets = packets packets
[figures program]
checked = printed:$(sed -n 's/^figure \([a-z_0-9]*\) .*/\1/p' "$work/repeat.out" | head -n 1) none
[table]
rows = load
column packets = packets
[summary]
packets = mean(load: packets)
[paper]
low/packets = 1
END
check "fields: an experiment" "$evgpu" experiment "$work/small.ini" --out "$work/x"
for f in "$work"/x/small/*.json "$work"/x/kept/*.json; do cp "$f" "$out/x-$(basename "$f")"; done

listed() {
    "$evgpu" stats --csv "$out"/*.json | grep ',?$' >"$work/unlisted"
    head -n 20 "$work/unlisted"
    ! [ -s "$work/unlisted" ]
}
check "every field of a result file is in the list" listed
given() { # all that the list has
    "$evgpu" stats --fields --csv | sort >"$work/all"
    "$evgpu" stats --fields --csv "$out"/*.json | sort >"$work/seen"
    [ "$(wc -l <"$work/all")" -gt 600 ] && diff "$work/all" "$work/seen"
}
check "every field of the list is in some result file" given
complete() { # a meaning for each
    python3 -c "
import csv
rows = list(csv.DictReader(open('$work/all')), )
" && "$evgpu" stats --fields --csv | python3 -c "
import csv, sys
rows = list(csv.DictReader(sys.stdin))
paths = [(r['field'], r['files']) for r in rows]
assert len(set(paths)) == len(paths), [p for p in paths if paths.count(p) > 1]
assert all(r['meaning'] for r in rows)"
}
check "the list has every field once, with a meaning" complete
# The checks find what is out of place: another key in a file, a field that no file has.
jq '.gpu.cores.surprise = 1' "$out/main.json" >"$work/surprise.json"
check "a field that is not listed is found" sh -c \
    "'$evgpu' stats --csv '$work/surprise.json' | grep -qx 'gpu.cores.surprise,1,?'"
check "a field that a file lacks is found" sh -c \
    "! '$evgpu' stats --fields --csv '$out/main.json' | grep -q '^gpu.memory.region.bytes,'"
page() {
    "$evgpu" stats --fields --markdown >"$work/page"
    sed -n '/^<!-- fields -->$/,/^<!-- end -->$/p' docs/measured/fields.md | sed '1d;$d' | diff - "$work/page"
}
check "docs/measured/fields.md shows the list (make fields)" page
finish
