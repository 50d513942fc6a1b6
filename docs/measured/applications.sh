#!/bin/sh
# Prints the table of docs/measured/applications.md: every application, or those named, at its default sizes on
# gtx480.ini, a line for each kernel. Run by `make applications` in the project's directory; needs jq.
# Usage: applications.sh BUILD [NAME...]
set -e
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What keeps a kernel from going faster, from its own counters; the first that holds:
#   its lanes stand without warps most of the time, and what the warps there are wait for;
#   DRAM moves data most of the time; the cores issue nearly all that two schedulers can;
#   otherwise what the most of its resident warps wait for; behind a barrier, what those before it do.
limits='def most: to_entries | max_by(.value) | .key | gsub("_"; " ");
    def stall: .warp_states | del(.issued, .not_selected)
        | if most == "barrier" then "barrier, \(del(.barrier) | most)" else most end;
    if .no_warps > 0.5 then "too few warps (\(stall))"
    elif .dram_use > 0.6 then "DRAM bandwidth"
    elif .ipc > 1.5 then "issue slots"
    else stall end'

echo "| application | kernel | block | registers | shared memory [bytes] | launches | warp instructions | cycles | occupancy | IPC | DRAM | limited by |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|"
[ $# -gt 0 ] || set -- $(cd sw/apps && ls -d */program.c)
for name; do
    name=${name%/program.c}
    # It has no work without a service.
    [ "$name" = eventForward ] && continue
    "$build/evgpu" run --config gtx480.ini --program "$build/apps/$name" --json "$work/json" >"$work/out" 2>&1 ||
        { cat "$work/out" >&2; exit 1; }
    jq -r --arg name "$name" '
        .guests | to_entries[] | select(.value.kind == "program") | .value.kernels | to_entries
        | to_entries[] | .key as $i | .value.key as $kernel | .value.value
        | [if $i == 0 then $name else "" end, $kernel, .block_threads, .registers, .shared_bytes,
           .launches, .warp_instructions, .cycles, "\(.occupancy * 100 | round) %",
           (.ipc * 100 | round / 100), "\(.dram_use * 100 | round) %", ('"$limits"')]
        | "| " + (map(tostring) | join(" | ")) + " |"' "$work/json"
done
