# show.sh WAVEFORM VIEW: opens GTKWave with a view (build/gen/*.gtkw), its marker at the trigger. What the waveform
# has in front of the trigger is on screen, as far as the view can show it. SHOW=cat prints the view instead.
wave=$1
view=$2
command -v fst2vcd >/dev/null || { echo "show.sh: fst2vcd is not installed (Debian package gtkwave)" >&2; exit 1; }
[ -r "$view" ] || { echo "show.sh: no view $view" >&2; exit 1; }
place=$(cd "$(dirname "$view")" && pwd)
# In picoseconds: the first time of the file; the trigger; and where the doorbell of an event that the trigger finds
# on its way to a warp begins its track, if there is one.
set -- $(fst2vcd "$wave" 2>/dev/null | awk -v taking="$(awk '$2 == "TAKING" { print $1 }' "$place/wave_station.filter")" '
    function value(bits, number, i) {
        for (i = 2; i <= length(bits); i++) number = 2 * number + substr(bits, i, 1)
        return number + 0
    }
    $1 == "$scope" { path[++depth] = $3 }
    $1 == "$upscope" { depth-- }
    $1 == "$enddefinitions" { whole = 1 }
    $1 == "$var" && path[1] == "run" && $5 == "trigger" && !name { name = $4 }
    $1 == "$var" && path[1] == "run" && $5 == "station" { station[$4] = 0 }
    /^#/ { time = substr($1, 2); if (first == "") first = time }
    $2 in station {
        now = value($1)
        if (now && !station[$2]) begin[$2] = time
        station[$2] = now
    }
    name && $1 == "1" name { fired = time }
    # The values of the time of the trigger stand in any order.
    /^#/ && fired && time > fired { exit }
    END {
        if (!whole) exit
        for (id in station)
            if (station[id] == taking && (from == "" || begin[id] < from)) from = begin[id]
        print first + 0, fired ? fired : -1, from == "" ? first + 0 : from
    }')
[ $# = 3 ] || { echo "show.sh: $wave is no waveform; \`evgpu run --trace FILE.fst\` records one" >&2; exit 1; }
first=$1
at=$2
from=$3
# GTKWave: the zoom is the exponent, negated, of the picoseconds in 200 pixels. From the doorbell to the trigger are
# 500 of some 1100 pixels, unless that shows more than sixteen times what the view is made for.
set -- $(awk -v first="$first" -v from="$from" -v at="$at" \
    -v made="$(sed -n 's/^\*-\([0-9]*\).*/\1/p' "$view")" 'BEGIN {
    zoom = at > from ? log((at - from) / 500 * 200) / log(2) : made
    if (zoom < 14) zoom = 14
    if (zoom > made + 4) zoom = made + 4
    start = at < 0 ? first : at - 550 / 200 * 2 ^ zoom
    if (start < first) start = first
    printf "%f %d\n", zoom, start }')
sed "s/^\[timestart\].*/[timestart] $2/; s/^\*[-0-9.]* -1/*-$1 $at/; s,^^1 .*/,^1 $place/," "$view" |
    if [ "$SHOW" = cat ]; then
        cat
    else
        placed=${wave%.fst}.gtkw
        cat >"$placed"
        exec "${GTKWAVE:-gtkwave}" "$wave" "$placed"
    fi
