#!/bin/sh
# The table of docs/measured/fpga.md, from fpga/ledger.rows: measures what has changed since its row was,
# tiles first, then boards and blocks, JOBS at a time (2). Usage: ledger.sh BUILD. ONLY in the environment
# restricts it to these names of blocks and boards, ARCHS to these of ice40 and ecp5. What has been
# measured when it is interrupted is kept.
build=$1
. fpga/lib.sh.inc
: "${JOBS:=2}" "${ARCHS:=ice40 ecp5}" "${ONLY:=}"
export LEDGER=yes SEEDS="1 2 3"
work=$(mktemp -d) # two ledgers may run at once

# The reduced memory front end of small boards.
small_region=$(awk '$1 == "small" && $2 == "RegionLines" { print $3 }' rtl/evgpu.def)

# What is in no tile by itself, and not in axi_frontend, is part of a block that is: its area alone is measured. The
# example's parts are its board's but for the core.
area_alone() { # FILE
    case $1 in rtl/tiles/* | rtl/*/axi_frontend.v | rtl/*/event_system.v | rtl/*/simt_core.v) return 0 ;; esac
    grep -qE "^ +$(basename "$1" .v)( #\\(| u_)" rtl/tiles/*.v rtl/axi/axi_frontend.v || echo " -a"
}

list() { # lines of: NAME COMMAND...
    for group in tiles boards common edge fe cm axi example; do
        if [ $group = boards ]; then
            for tile in sm_event_unit mem_frontend concurrency_unit sm_concurrency_unit; do # gpu_frontend does not fit
                echo "ice40-hx8k-$tile fpga/build.sh ice40-hx8k $build $tile"
            done
            for tile in concurrency_unit sm_concurrency_unit; do
                echo "ice40-hx8k-replay-$tile fpga/build.sh ice40-hx8k-replay $build $tile"
            done
            for tile in sm_event_unit gpu_frontend mem_frontend concurrency_unit sm_concurrency_unit; do
                echo "ulx3s-85f-replay-$tile fpga/build.sh ulx3s-85f-replay $build $tile"
            done
            for board in ulx3s-85f ulx3s-85f-free ulx3s-85f-event; do
                echo "$board fpga/build.sh $board $build"
            done
            echo "arty-a7-100t fpga/build.sh arty-a7-100t $build"
            continue
        fi
        for file in rtl/$group/*.v; do
            block=$(basename "$file" .v)
            [ $block != register_bank ] || continue # without the parameters of axi_frontend it has no register
            for arch in $ARCHS; do
                echo "$block fpga/measure.sh$(area_alone "$file") $build $arch $block"
            done
            case $block in # the whole one does not fit
            mem_frontend | fe_dram_scheduler)
                echo "$block-small fpga/measure.sh $build ice40 $block RegionLines $small_region"
                ;;
            esac
            # By the lines `small` of rtl/evgpu.def
            [ $block != gpu_frontend ] || echo "$block-small fpga/measure.sh $build ice40 $block small"
            [ $block = mem_frontend ] || continue
            # What F/E 4.5 and 9 leave open: larger grains, more heads.
            for shape in "GrainBytes 32" "GrainBytes 128" "LookAhead 2" "LookAhead 4" "LookAhead 8"; do
                for arch in $ARCHS; do
                    echo "$block-$(echo "$shape" | tr ' ' -) fpga/measure.sh -a $build $arch $block $shape"
                done
            done
        done
    done
}

merge() { # the rows of this build over the others, in the order of the list
    cat "$rows"/* fpga/ledger.rows 2>/dev/null | awk '
        NR == FNR { if (!($1 in place)) { order[++n] = $1; place[$1] = 1 } next }
        !seen[$1, $2]++ && ($1 in place) { row[$1, $2] = $0 }
        END {
            split("ice40 ecp5 xc7", archs)
            for (i = 1; i <= n; i++)
                for (a = 1; a <= 3; a++)
                    if ((order[i], archs[a]) in row)
                        print row[order[i], archs[a]]
        }' "$work/list" - >"$work/rows" && cp "$work/rows" fpga/ledger.rows
    awk '
        BEGIN {
            print "| block or board | device | LUTs | flip-flops | block RAMs | multipliers | MHz, by seed | aim, MHz |"
            print "|---|---|---|---|---|---|---|---|"
            device["ice40"] = "iCE40 HX8K"
            device["ecp5"] = "ECP5 85F"
            device["xc7"] = "Artix-7"
        }
        {
            seeds = NF - 8
            reached = 0
            clocks = ""
            for (i = 9; i <= NF; i++) {
                clocks = clocks (i > 9 ? ", " : "") $i
                reached += $i + 0 >= $3
            }
            verdict = $3 (reached == seeds ? " reached" : " by " reached " of " seeds " seeds")
            if (!reached)
                verdict = $3 " missed"
            if ($2 == "xc7")
                verdict = "not placed"
            else if ($9 == "-")
                verdict = seeds == 1 ? "area alone" : "does not fit"
            printf "| %s | %s | %d | %d | %d | %d | %s | %s |\n", $1, device[$2], $4, $5, $6, $7, clocks, verdict
        }' fpga/ledger.rows >"$work/table"
    sh docs/measured/put.sh docs/measured/fpga.md ledger "$work/table"
}

list | awk -v only="$ONLY" 'BEGIN { n = split(only, names); for (i = 1; i <= n; i++) wanted[names[i]] = 1 }
    !n || ($1 in wanted)' >"$work/todo"
ARCHS="ice40 ecp5" list >"$work/list"
case " $ARCHS " in *" ecp5 "*) ecp5_tools || exit 1 ;; esac
say "ledger: $(wc -l <"$work/todo") rows to look at"
trap 'merge; exit 130' INT TERM
trap 'rm -rf "$work"' EXIT
cut -d ' ' -f 2- "$work/todo" | xargs -r -P "$JOBS" -L 1 sh
failed=$?
merge
verdict="every row is up to date"
[ "$failed" -eq 0 ] || verdict="FAILED: some rows could not be measured"
# No block and no board is meant to multiply: a multiplier comes from a part-select or a product by mistake.
multiply=$(awk '$7 { print $1, $2 ": " $7 }' fpga/ledger.rows)
if [ -n "$multiply" ]; then
    echo "$multiply" | sed 's/^/ledger: multipliers in /'
    verdict="FAILED: multipliers that are not meant"
    failed=1
fi
say "ledger: $(grep -c ' reached' "$work/table") rows reach their aim with every seed, $(grep -c ' by . of ' "$work/table") with some, $(grep -c ' missed' "$work/table") with none, $(grep -c 'does not fit' "$work/table") do not fit: $verdict: docs/measured/fpga.md"
[ "$failed" -eq 0 ]
