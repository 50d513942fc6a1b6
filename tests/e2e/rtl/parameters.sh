# Every parameter of every module under rtl/ is elaborated with a second value somewhere: by a proof of the
# module (`set:`), a variant or the small boards of rtl/evgpu.def, a bench of tests/rtl, or lint.sh.
# tests/rtl/parameters.once lists the others, each with the module around it that is built with another
# value, or as one that has a single value.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "parameters: does not depend on the sanitizers"
    exit 0
fi

declared() { # lines MODULE NAME
    for file in rtl/*/*.v; do
        awk -v module="$(basename "$file" .v)" '
            /^module/ { head = 1 }
            head && $1 == "parameter" { sub(/\[[^]]*\]/, ""); print module, $2 }
            /^\);/ { head = 0 }' "$file"
    done | sort -u
}

built() {
    for task in tests/formal/*/*.task; do
        awk '$1 == "top:" { top = $2 } $1 == "set:" { print top, $2 }' "$task"
    done
    awk '$1 == "tile" { tile = $2 } $1 == "small" && $2 ~ /^[A-Z]/ { print tile, $2 }
         $1 == "variant" { for (i = 4; i < NF; i += 2) print $3, $i }' rtl/evgpu.def
    sed -n 's/^check .* accepts \([a-z_]*\) \([A-Za-z0-9]*\) .*/\1 \2/p' tests/e2e/rtl/lint.sh
    sed -n 's/^ *\([a-z_]*\) #(\.\(.*\)) [a-z_]* ($/\1 \2/p' tests/rtl/*.v |
        sed 's/([0-9]*), \./ /g; s/([0-9]*)//g' |
        awk '{ for (i = 2; i <= NF; i++) print $1, $i }'
    grep -v '^#' tests/rtl/parameters.once | awk '{ print $1, $2 }'
}

none_left() {
    declared >"$work/declared"
    built | sort -u >"$work/built"
    comm -23 "$work/declared" "$work/built" | sed 's/^/no second value: /' | tee "$work/left"
    [ "$(wc -l <"$work/declared")" -gt 100 ] && ! [ -s "$work/left" ]
}

# The list holds nothing that is not declared.
list_is_short() {
    grep -v '^#' tests/rtl/parameters.once | awk '{ print $1, $2 }' | sort -u >"$work/once"
    ! comm -13 "$work/declared" "$work/once" | grep .
}

check "every parameter has a second value somewhere" none_left
check "tests/rtl/parameters.once names parameters that exist" list_is_short
finish
