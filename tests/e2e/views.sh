# The GTKWave views of tb/wave/views.def, as the build has written them, name signals that a waveform has, and
# state names that the build has written. The waveform is that of a run, or of the block testbench that the
# view names after EVGPU_TRACE=.
. tests/e2e/lib.sh.inc

if ! command -v fst2vcd >/dev/null; then
    skip "fst2vcd is not installed (Debian package gtkwave)"
    exit 0
fi

list_signals() { # FST: full names with ranges, as GTKWave writes them
    fst2vcd "$1" | awk '
        $1 == "$scope" { path[++depth] = $3 }
        $1 == "$upscope" { depth-- }
        $1 == "$var" {
            name = ""
            for (i = 1; i <= depth; i++) name = name path[i] "."
            range = $6 == "$end" || $3 == 1 ? "" : $6
            print name $5 range
        }
        $1 == "$enddefinitions" { exit }'
}

view_signals() { # VIEW
    sed -n '/^[[@*^-]/d; s/^+{[^}]*} //; p' "$1" | grep .
}

all_found() { # VIEW SIGNALS
    view_signals "$1" | sort -u >"$work/wanted"
    [ -s "$work/wanted" ] && ! grep -vxFf "$2" "$work/wanted"
}

bench_of() { # VIEW: the testbench that it is for, nothing for a run
    sed -n 's,.*EVGPU_TRACE=[^ ]* build/\(tests/tb/[a-z_]*\)$,\1,p' "$1"
}

trace_bench() { # PROGRAM
    EVGPU_TRACE=$work/bench.fst "$build/$1"
}

filters_exist() { # VIEW
    sed -n 's,^^1 ,,p' "$1" | sort -u | while read -r filter; do
        [ -s "$filter" ] || { echo "no $filter"; exit 1; }
        grep -qE '^[0-9A-F]+ [A-Z_]+$' "$filter" || exit 1
    done
}

check "run with a trace" "$evgpu" run --route-count 1000 --background 64 --packets 64 --no-alone \
    --set fe.region_kib=64 \
    --trace "$work/w.fst" --trace-trigger doorbell:1 --trace-window 10
list_signals "$work/w.fst" >"$work/signals"
check "run with concurrency management and a trace" "$evgpu" run --config cm-bal.ini --no-profile \
    --program "$build/apps/vectorAdd --elements=64" --concurrency cm-bal1 --trace "$work/cm.fst" \
    --trace-window 10
list_signals "$work/cm.fst" >>"$work/signals"
for name in $(sed -n 's/^view \([^ ]*\) .*/\1/p' tb/wave/views.def); do
    view=$build/gen/$name.gtkw
    signals=$work/signals
    bench=$(bench_of "$view")
    if [ -n "$bench" ]; then
        check "view $name: testbench with a trace" trace_bench "$bench"
        signals=$work/bench.signals
        list_signals "$work/bench.fst" >"$signals"
    fi
    check "view $name: signals" all_found "$view" "$signals"
    check "view $name: state names" filters_exist "$view"
    check "view $name: has named states" grep -q '^^1 .*/gen/.*\.filter$' "$view"
done
for tile in gpu_frontend sm_event_unit mem_frontend concurrency_unit sm_concurrency_unit; do
    check "view of $tile" test -f "$build/gen/$tile.gtkw"
done
finish
