# evgpu report: pages about runs. They hold what the files say, need nothing else, can be read (pages.py), and
# are the same again; --details changes nothing but what it adds.
. tests/e2e/lib.sh.inc
. tests/e2e/project/browser.sh.inc

python3=$(command -v python3) || { skip "report: python3 is not installed"; finish; }
pages() { "$python3" tests/e2e/project/pages.py "$@"; }
run() { # run NAME OPTION...
    name=$1
    shift
    limited "$evgpu" run --tiles model --no-alone --seed 3 --json "$work/$name.json" "$@" >"$work/$name.out" 2>&1 ||
        { tail -n 3 "$work/$name.out"; return 1; }
}
small="--packets 320 --route-count 1000 --background 128 --products 2 --set gpu.cores=4"

check "a run without details" run off $small
check "... with" run on $small --details --timeline "$work/on.timeline"
without_details() {
    for f in off on; do
        jq 'del(.about, .details, .guests[].latency_histograms)' "$work/$f.json" >"$work/$f.figures"
    done
    cmp "$work/off.figures" "$work/on.figures"
}
check "details change no other figure" without_details
details() {
    "$python3" -c "
import json
run = json.load(open('$work/on.json'))
series, guest = run['details']['series'], run['guests']['ipv4']
moments = len(series['cycle'])
assert 32 < moments <= 127 and series['cycle'][-1] == run['cycles'], moments
spans = [b - a for a, b in zip([0] + series['cycle'], series['cycle'])]
assert len(series['cores']) == 4 and len(series['dram']) == 1
for core, sums in zip(series['cores'], run['gpu']['per_core']):
    # Each state and the IPC over the moments give the run's counters, but for moments without a sample.
    warps = sum(sum(w) * s for w, s in zip(zip(*core['warps'].values()), spans))
    assert abs(warps / sums['resident_warp_cycles'] - 1) < 0.02, (warps, sums['resident_warp_cycles'])
    issued = sum(i * s for i, s in zip(core['ipc'], spans))
    assert abs(issued / sums['warp_instructions'] - 1) < 1e-5
for kind in ('request', 'reply'):
    flits = sum(f * s for link in series[kind + '_links'] for f, s in zip(link['flits'], spans))
    assert flits > 0
for name, bins in guest['latency_histograms'].items():
    whole = guest['latency_cycles'][name]
    assert sum(bins['count']) == whole['count'], name
    if whole['count']:
        assert bins['from'][0] <= whole['min'] and whole['max'] < bins['to'], name
        assert bins['from'] == sorted(set(bins['from']))
lines = run['details']['source_lines']
assert lines and abs(sum(l['share'] for l in lines) - 1) < 0.3 and lines[0]['share'] >= lines[-1]['share']
assert all(l['main_stall'] != 'issued' for l in lines)
"
}
check "the series, histograms and lines are those of the counters" details

check "a page of one run" "$evgpu" report "$work/on.json" "$work/on.timeline" -o "$work/one.html"
check "... needs nothing else and can be read" pages "$work/one.html"
says() { # says PAGE TEXT...
    page=$1
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$page" || { echo "no $text"; return 1; }
    done
}
check "... with every part" says "$work/one.html" "packets equal their host references" verified "Latency of ipv4" "packet, wire to wire" \
    "CPU, driver, transfers and GPU over time" "core 3" "Without concurrency management" "DRAM cycles" \
    "request network" "reply network" "Kernels by time" matmul "Source lines by time" "seed 3" gpu.cores=4
check "the page again" "$evgpu" report "$work/on.json" "$work/on.timeline" -o "$work/again.html"
check "... is the same" cmp "$work/one.html" "$work/again.html"

check "another run, CPU cores beside it" run cm --config cm-bal.ini --program "$build/apps/vectorAdd 4096" --cpus L1 \
    --concurrency cm-bal1 --cpu-warmup 500 --cpu-quota 1000 --details
check "a page of two runs that differ in all" "$evgpu" report "$work/on.json" "$work/cm.json" -o "$work/two.html"
check "... can be read" pages "$work/two.html"
check "... with limits, stalls and the mesh" says "$work/two.html" "B: policy cm-bal1" "Limit of the warps" \
    "reply network in each interval" "share of the ticks in which each link is busy" "What differs" "B against A"
check "a page of runs without details" "$evgpu" report "$work/off.json" "$work/off.json" -o "$work/off.html"
check "... says how to get them" says "$work/off.html" "evgpu run --details" "0 of"
check "... can be read" pages "$work/off.html"

# The checks see what is wrong.
wrong() { # wrong SED-SCRIPT TEXT: the page changed by the script has this mistake
    sed "$1" "$work/one.html" >"$work/wrong.html"
    pages "$work/wrong.html" >"$work/mistakes" && return 1
    grep -qF -- "$2" "$work/mistakes" || { head -n 3 "$work/mistakes"; return 1; }
}
check "a pale colour is noticed" wrong 's/a{color:#0b57a4/a{color:#9bb7e4/' contrast
check "small text is noticed" wrong 's/figcaption{font-size:14px/figcaption{font-size:11px/' "text of 11 px"
check "pale text in a picture is noticed" wrong 's/fill="black" font-family/fill="rgb(180,180,180)" font-family/' contrast
check "small text in a picture is noticed" wrong 's/font-size="13.00"/font-size="11.00"/' "text of 11"
check "a picture from elsewhere is noticed" wrong 's,<h2>Timeline</h2>,<img src="x.png" alt="">,' x.png
check "a link that leads nowhere is noticed" wrong 's,<h2>Timeline</h2>,<a href="#nowhere">x</a>,' nowhere
check "a tag that is not closed is noticed" wrong 's,</footer>,,' footer

# Bad input.
stopped() { # a signal while gnuplot draws: no page, and no folder of its pictures
    mkdir -p "$work/bin"
    printf '#!/bin/sh\npwd >"%s/folder"\nkill -TERM $PPID\n' "$work" >"$work/bin/gnuplot"
    chmod +x "$work/bin/gnuplot"
    PATH=$work/bin:$PATH "$evgpu" report "$work/on.json" -o "$work/stopped.html" 2>"$work/said"
    [ $? -eq 1 ] && [ ! -e "$work/stopped.html" ] && [ ! -e "$(cat "$work/folder")" ]
}
check "a signal stops a report and leaves nothing" stopped
check "no page" fails_with 2 "-o PAGE.html" "$evgpu" report "$work/on.json"
check "a file that is none" fails_with 2 "none.json" "$evgpu" report "$work/none.json" -o "$work/x.html"
check "a timeline alone" fails_with 2 "a timeline needs its run" "$evgpu" report "$work/on.timeline" -o "$work/x.html"
check "a timeline twice" fails_with 2 "on.timeline: is a second timeline of run A, beside $work/on.timeline" \
    "$evgpu" report "$work/on.json" "$work/on.timeline" "$work/on.timeline" -o "$work/x.html"
check "another run's timeline" fails_with 2 "of none of the runs" "$evgpu" report "$work/off.json" "$work/on.timeline" \
    -o "$work/x.html"
"$evgpu" mesh --ticks 100 --json "$work/mesh.json" >/dev/null
check "a file of another kind" fails_with 2 "is of evgpu mesh" "$evgpu" report "$work/mesh.json" -o "$work/x.html"
check "details without a file" fails_with 2 "--details" "$evgpu" run --details
check "a folder that is not there" fails_with 2 "nowhere" "$evgpu" report "$work/on.json" -o "$work/nowhere/x.html"

has_browser report || finish
check "in Chromium, on a desktop" fits "$work/two.html" 1200
check "... on a phone" fits "$work/two.html" 500
finish
