# show.sh WAVEFORM VIEW: opens GTKWave with a view (build/gen/*.gtkw) at the trigger, with its marker there.
# SHOW=cat prints the view instead.
wave=$1
view=$2
[ -r "$view" ] || { echo "show.sh: no view $view" >&2; exit 1; }
at=$(fst2vcd "$wave" | awk '
    $1 == "$scope" { path[++depth] = $3 }
    $1 == "$upscope" { depth-- }
    $1 == "$var" && $5 == "trigger" && path[1] == "run" && !name { name = $4 }
    /^#/ { time = substr($1, 2) }
    name && $1 == "1" name { print time; exit }')
start=0
# A trigger at the end of the window is shown with what led to it.
[ "${at:-0}" -gt 1000000 ] && start=$((at - 1000000))
sed "s/^\[timestart\].*/[timestart] $start/; s/^\(\*[-0-9.]*\) -1/\1 ${at:--1}/" "$view" |
    if [ "$SHOW" = cat ]; then
        cat
    else
        placed=${wave%.fst}.gtkw
        cat >"$placed"
        exec "${GTKWAVE:-gtkwave}" "$wave" "$placed"
    fi
