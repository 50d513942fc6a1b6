# Sampling of launches (--sample): the estimate against a run in which all are timed.
. tests/e2e/lib.sh.inc

run() { # run OPTION...: on gtx480.ini
    limited "$evgpu" run --config gtx480.ini --tiles model --no-profile "$@"
}
# Within 3 %, from at most a share of the instructions, and the interval is no wider than 5 %.
sampled() { # sampled SHARE COMMAND
    run --json "$work/all.json" --program "$build/apps/$2" >"$work/report" &&
        run --sample --json "$work/some.json" --program "$build/apps/$2" >"$work/report" ||
        { cat "$work/report"; return 1; }
    jq -es --argjson share "$1" '.[0].guests[].kernel_cycles as $true | .[1].sampling
        | [$true, .cycles, .within_cycles, .timed_warp_instructions / .warp_instructions],
          (.cycles > 0.97 * $true and .cycles < 1.03 * $true and .within_cycles < 0.05 * .cycles
           and .timed_warp_instructions <= $share * .warp_instructions and .unforeseen_launches == 0)' \
        "$work/all.json" "$work/some.json" && grep -q '^Sample  *[1-9][0-9]* of [1-9]' "$work/report"
}
check "sample: launches that are alike" sampled 0.3 "hotspot --side 128 --steps 40"
check "sample: two kernels" sampled 0.5 "srad --rows 64 --columns 64 --region 16 --iterations 12"
check "sample: launches of many sizes are timed" sampled 1 "lud --rows 80"
check "sample: short launches that leave cores idle are timed" sampled 1 "hotspot --side 16 --steps 40"
all_timed() { # one launch: as if nothing had been asked for
    sampled 1 "matrixMul 48" &&
        jq -es '(.[0].guests[].kernel_cycles == .[1].sampling.cycles) and .[1].sampling.within_cycles == 0
            and .[1].sampling.alone_launches == 1' "$work/all.json" "$work/some.json"
}
check "sample: a single launch is timed" all_timed
again() {
    run --sample --json "$work/one.json" --program "$build/apps/hotspot --side 64 --steps 20" >"$work/report" &&
        run --sample --json "$work/two.json" --program "$build/apps/hotspot --side 64 --steps 20" >"$work/report" &&
        same_figures "$work/one.json" "$work/two.json"
}
check "sample: the same figures each time" again
check "sample: refused with --timing" fails_with 2 "leave out --timing" \
    "$evgpu" run --sample --timing none --program vectorAdd
check "sample: refused with a service" fails_with 2 "--sample: leave it out with --service" "$evgpu" run --sample --service ipv4 --background 16
failing() {
    run --sample --program false >"$work/report"
    [ $? -eq 1 ] && grep -q '^NOT VERIFIED: without time: ' "$work/report"
}
check "sample: a program that fails" failing
finish
