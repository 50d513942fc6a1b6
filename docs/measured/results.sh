#!/bin/sh
# Measures the figures of README.md, docs/guide/first-steps.md and docs/measured/results.md again, and puts
# them between their markers.
# Run by `make results`; needs a built build/evgpu and jq.
set -e
evgpu=${1:-build/evgpu}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

put() { # put FILE MARKER TEXTFILE
    sh docs/measured/put.sh "$@"
}

run() { # run NAME OPTION...: statistics of the main job in NAME.json
    name=$1
    shift
    echo "$name" >&2
    "$evgpu" run --packets 6000 --json "$work/$name.json" "$@" >"$work/$name.out"
}

get() { # get NAME FILTER
    jq -r "$2 | if type == \"number\" then (. * 10 | round / 10) else . end" "$work/$1.json"
}

# --- the demonstration ------------------------------------------------------------------------------
"$evgpu" run 2>/dev/null >"$work/demo"
{ echo '```'; cat "$work/demo"; echo '```'; } >"$work/demo.md"
put docs/guide/first-steps.md run "$work/demo.md" plain
{ echo '```'; awk -f docs/measured/excerpt.awk "$work/demo"; echo '```'; } >"$work/excerpt.md"
put README.md run "$work/excerpt.md" plain

# --- launch ---------------------------------------------------------------------------------------
run idle --background 0 --no-alone
run cpu --background 0 --launch cpu --no-alone
{
    echo "| | paper | here |"
    echo "|---|---|---|"
    echo "| EDGE, doorbell to first instruction, idle GPU [core cycles] | 300 + 490 for PCIe | $(get idle .guests.ipv4.latency_cycles.launch.p50) |"
    echo "| ... of that inside the GPU | 300 (estimated) | $(get idle '.guests.ipv4.latency_cycles | .decoder.p50 + .kernel_table.p50 + .dispatch.p50 + .preemption.p50 + .first_instruction.p50') |"
    echo "| CPU, launch call to start on the GPU | about 3500 (5 us in all) | $(get cpu .guests.ipv4.latency_cycles.cpu_launch.p50) |"
    echo "| Packet from wire to wire, EDGE / CPU, mean | not given | $(get idle .guests.ipv4.latency_cycles.packet.mean) / $(get cpu .guests.ipv4.latency_cycles.packet.mean) |"
} >"$work/launch.md"
put docs/measured/results.md launch "$work/launch.md"

# --- preemption -----------------------------------------------------------------------------------
{
    echo "| victim | none | priority | i-buffer | barrier skip | load drop | all four | none / all | paper, all | paper, none / all |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    for policy in oldest newest cheapest; do
        for flush in 0 1 2 4 8 15; do
            run "$policy-$flush" --policy $policy --flush $flush --no-alone
        done
        case $policy in
        oldest) paper="50 | 35.9" ;;
        newest) paper="220 | 33.7" ;;
        *) paper="- | -" ;;
        esac
        printf '| %s |' "$policy"
        for flush in 0 1 2 4 8 15; do
            printf ' %s |' "$(get "$policy-$flush" .guests.ipv4.latency_cycles.preemption_only.mean)"
        done
        printf ' %s | %s |\n' "$(jq -n --slurpfile a "$work/$policy-0.json" --slurpfile b "$work/$policy-15.json" \
            '$a[0].guests.ipv4.latency_cycles.preemption_only.mean / $b[0].guests.ipv4.latency_cycles.preemption_only.mean * 10 | round / 10')" "$paper"
    done
} >"$work/preemption.md"
put docs/measured/results.md preemption "$work/preemption.md"

# --- scheduling -----------------------------------------------------------------------------------
{
    echo "| scheduling | until the event owns a warp: mean | p99 | event runtime | packet, wire to wire | background slowdown |"
    echo "|---|---|---|---|---|---|"
    for sched in preempt drain reserve; do
        run "$sched" --sched $sched
        slowdown=$(sed -n 's/.*slowdown  *\([0-9.]*\).*/\1/p' "$work/$sched.out")
        echo "| $sched | $(get $sched .guests.ipv4.latency_cycles.preemption.mean) | $(get $sched .guests.ipv4.latency_cycles.preemption.p99) | $(get $sched .guests.ipv4.latency_cycles.event_runtime.mean) | $(get $sched .guests.ipv4.latency_cycles.packet.mean) | $slowdown |"
    done
} >"$work/scheduling.md"
put docs/measured/results.md scheduling "$work/scheduling.md"

# --- speed ----------------------------------------------------------------------------------------
"$evgpu" bench >"$work/bench.txt"
awk 'NR == 1 {
        print "| job | machine | tiles | cycles | warp instructions | wall s, median | least | most | kcycle/s | warp instructions/s | CPU instructions/s | peak MiB |"
        print "|---|---|---|---|---|---|---|---|---|---|---|---|"; next }
    !NF { exit }
    { n = NF; name = $1; for (i = 2; i <= n - 11; i++) name = name " " $i
      printf "| %s", name; for (i = n - 10; i <= n; i++) printf " | %s", $i; print " |" }' "$work/bench.txt" >"$work/speed.md"
# What one costs: columns of fixed width.
awk '!NF { of = NR + 1; print "| ns for one | size | median | least | most | growth | job |"
        print "|---|---|---|---|---|---|---|" }
    of && NR > of { title = substr($0, 1, 38); sub(/ +$/, "", title); rest = substr($0, 39)
      split(rest, f)
      for (i = 1; i <= 5; i++) sub(/^ *[^ ]+ +/, "", rest)
      printf "| %s | %s | %s | %s | %s | %s | %s |\n", title, f[1], f[2], f[3], f[4], f[5], rest }' "$work/bench.txt" >"$work/costs.md"
put docs/measured/results.md costs "$work/costs.md"
put docs/measured/results.md speed "$work/speed.md"
