#!/bin/sh
# Prints the table of docs/measured/sampling.md: what --sample estimates, against a run in which every launch is
# timed, on gtx480.ini. The applications of sw/apps, then programs of tests/cuda/programs, which their own makefiles
# build. Run by `make sampling` in the project's directory; needs jq, GNU time and the toolkit.
# Usage: sampling.sh BUILD [NAME...]
set -e
build=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r tests/cuda/programs "$work/programs"

run() { # run NAME FOLDER COMMAND OPTION...: user time of simulator and program to NAME.time
    name=$1 folder=$2 command=$3
    shift 3
    (cd "$folder" && /usr/bin/time -f %U -o "$work/$name.time" "$build/evgpu" run --config gtx480.ini --tiles model \
        --no-profile --program "$command" --json "$work/$name.json" "$@") >"$work/$name.out" 2>&1 ||
        { cat "$work/$name.out" >&2; return 1; }
}

row() { # row SHOWN FOLDER COMMAND
    run all "$2" "$3" && run some "$2" "$3" --sample || return 1
    jq -rn --slurpfile all "$work/all.json" --slurpfile some "$work/some.json" --arg shown "$1" \
        --arg full "$(tail -n 1 "$work/all.time")" --arg short "$(tail -n 1 "$work/some.time")" '
        ([$all[0].guests[] | .kernel_cycles] | add) as $true | $some[0].sampling as $s
        | def percent: . * 1000 | round / 10 | "\(.) %";
        "| " + ([$shown, $s.launches, $s.timed_launches,
            ($s.timed_warp_instructions / $s.warp_instructions | percent), $true, ($s.cycles | round),
            ($s.cycles / $true - 1 | percent),
            (if $s.timed_launches == $s.launches then "exact" else "+- " + ($s.within_cycles / $s.cycles | percent) end),
            $full, $short] | map(tostring) | join(" | ")) + " |"'
}

wanted() { # wanted NAME WANTED...
    [ $# -eq 1 ] && return
    one=$1
    shift
    case " $* " in *" $one "*) return ;; esac
    return 1
}

echo "| program | launches | timed | their instructions | cycles | estimate | error | 95 % interval | user s | user s with --sample |"
echo "|---|---|---|---|---|---|---|---|---|---|"
while read -r name arguments; do
    wanted "$name" "$@" && row "$name${arguments:+ $arguments}" . "$build/apps/$name $arguments"
done <<'LIST' >"$work/table"
backprop --nodes 4096 --passes 12
bfs --nodes 20000
blackScholes --options 20000
convColor --times 8
convSparse --images 64
fibLookup
histogram64
hotspot --side 128 --steps 80
invertedIndex
kernelPair
kmeans --points 4000 --rounds 12
lud --rows 192
matrixMul 128 24
mst
mummer
pageViewCount
pageViewRank
pathfinder --columns 8000 --rows 200
srad --rows 128 --columns 128 --iterations 24
sssp
streamcluster
surveyPropagation
vectorAdd
LIST
for name in bfs btree cfd cluster heartwall hotspot kmeans nw particlefilter pathfinder srad wavelet; do
    wanted "tests/$name" "$@" || continue
    make -s -C "$work/programs/$name" CUDA_DIR="$build/cuda" >"$work/make.out" 2>&1 || { cat "$work/make.out" >&2; exit 1; }
    program=$name
    [ "$name" = btree ] && program=b+tree.out
    row "tests/cuda/programs/$name" "$work/programs/$name" "./$program" >>"$work/table"
done
cat "$work/table"
awk -F '|' '{ sub(/ %/, "", $8); e = $8 + 0; e = e < 0 ? -e : e; sum += e; if (e > worst) { worst = e; at = $2 } n++
        full += $10; short += $11
        if ($9 ~ /exact/) exact++; else { split($9, i, " "); held += e <= i[2] + 0; some++ } }
    END { printf "\n%d programs: mean error %.2f %%, worst %.1f %% (%s). %d are timed whole; of the other %d, the interval " \
            "holds the full run in %d. All together: %.0f s of processor time in full, %.0f s with `--sample`.\n",
            n, sum / n, worst, gensub_trim(at), exact, some, held, full, short }
    function gensub_trim(s) { gsub(/^ +| +$/, "", s); return s }' "$work/table"
