# SIGINT in every phase of runs with services and programs: the run ends soon with status 1, and
# statistics, captures, timelines and waveforms are whole.
. tests/e2e/lib.sh.inc

files_are_whole() { # of the run in $work/run; `any`: nothing may have been sent
    python3 - "$work/run" <<'PY'
import json, os, struct, sys
folder = sys.argv[1]
stats = json.load(open(folder + '/run.json'))
assert stats['end'] == 'stopped', stats['end']
timeline = folder + '/timeline.json'
if os.path.exists(timeline):
    json.load(open(timeline))
for name, guest in stats['guests'].items():
    if guest['kind'] != 'service':
        continue
    data = open(f'{folder}/{name}.pcap', 'rb').read()
    at, frames = 24, 0
    while at < len(data):
        at += 16 + struct.unpack('<I', data[at + 8:at + 12])[0]
        frames += 1
    assert at == len(data), 'cut capture'
    assert frames == guest['nic']['forwarded'], (frames, guest['nic']['forwarded'])
PY
}

# interrupted SECONDS OPTION...: SIGINT once it has computed for so long
interrupted() {
    seconds=$1
    shift
    rm -rf "$work/run"
    mkdir "$work/run"
    "$evgpu" run --json "$work/run/run.json" "$@" >"$work/run/table" 2>"$work/run/errors" &
    pid=$!
    interrupt "$seconds" $pid
    await $pid
    got=$?
    [ $got -eq 1 ] && grep -q '^NOT VERIFIED: stopped at cycle' "$work/run/table" && files_are_whole && return
    echo "status $got"
    tail -n 3 "$work/run/table" "$work/run/errors"
    return 1
}
whole_waveform() { # with it
    interrupted "$@" --tiles verilator --trace "$work/run/tiles.fst" || return
    ! command -v fst2vcd >/dev/null || fst2vcd -f "$work/run/tiles.fst" -o "$work/run/tiles.vcd"
}

out() { echo "out=$work/run/$1.pcap"; }
for service in ipv4,route-count=1000 ipv6,route-count=1000 memc ipsec; do
    name=${service%%,*}
    check "SIGINT: $name at work" interrupted 0.7 --tiles model --timeline "$work/run/timeline.json" \
        --service "$service,packets=20000,$(out "$name")" --program "$build/apps/matrixMul --quiet 512 50"
done
check "SIGINT: before the first packet" interrupted 0.3 --tiles model --service "ipv4,packets=100000,$(out ipv4)" \
    --program "$build/apps/matrixMul --quiet 512 50"
check "SIGINT: while traffic is generated" interrupted 0.3 --tiles model --service "memc,packets=300000,sets=16000,$(out memc)"
check "SIGINT: in the run of the programs alone" interrupted 0.5 --tiles model --alone \
    --service "ipv4,packets=1000,$(out ipv4)" --program "$build/apps/matrixMul --quiet 512 50"
check "SIGINT: while a program computes" interrupted 0.5 --tiles model \
    --service "ipv4,packets=1000,$(out ipv4)" --program "sh -c 'exec $build/apps/vectorAdd 1000; sleep 20'" \
    --program "sleep $hang_limit"
check "SIGINT: while a kernel computes without time" interrupted 0.5 --tiles model --timing none \
    --program "$build/apps/matrixMul --quiet 2048 50"
check "SIGINT: in idle time of an hour" interrupted 0.3 --tiles model --set gpu.cores=2 \
    --service "ipv4,packets=30000,route-count=1000,launch=persistent,persistent_warps=8,pace=pps:10,$(out ipv4)"
for launch in cpu hsa xtq gda; do
    check "SIGINT: launch=$launch" interrupted 0.7 --tiles model --program "$build/apps/matrixMul --quiet 512 50" \
        --service "ipv4,route-count=1000,packets=60000,launch=$launch,$(out ipv4)"
done
check "SIGINT: two services and two programs, waveforms" whole_waveform 1 \
    --service "ipv4,packets=20000,route-count=1000,$(out ipv4)" --service "memc,packets=2000,$(out memc)" \
    --program "$build/apps/matrixMul --quiet 512 50" --program "$build/apps/vectorAdd 200000"
finish
