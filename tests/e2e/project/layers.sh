# A layer includes and calls only itself and the layers below it, in the order of LAYERS (mk/build.mk).
# Checked on the includes and on the archives, and on copies with a line that breaks the rule.
. tests/e2e/lib.sh.inc

layers=$(sed -n 's/^LAYERS := //p' mk/build.mk)

folder() { # folder LAYER
    case $1 in
    base | tb | sw) echo "$1" ;;
    *) echo "sim/$1" ;;
    esac
}

# Prints includes of layers above, as FILE:LINE:TEXT.
includes() { # includes ROOT
    above=$layers
    for layer in $layers; do
        above=${above#"$layer"}
        above=${above# }
        for other in $above; do
            grep -rnE --include='*.[ch]' "^#include \"$(folder "$other")/" "$1/$(folder "$layer")"
        done
    done
}

# Prints symbols that an archive needs and only one above it has.
symbols() { # symbols DIRECTORY: of the archives
    for layer in $layers; do
        nm "$1/lib$layer.a" >"$work/nm" 2>/dev/null
        awk '$2 ~ /^[TDBRVW]$/ { print $3 }' "$work/nm" | sort -u >"$work/has.$layer"
        awk '$1 == "U" { print $2 }' "$work/nm" | sort -u | comm -23 - "$work/has.$layer" >"$work/needs.$layer"
    done
    above=$layers
    for layer in $layers; do
        above=${above#"$layer"}
        above=${above# }
        for other in $above; do
            comm -12 "$work/needs.$layer" "$work/has.$other" | sed "s/.*/lib$layer.a needs & of lib$other.a/"
        done
    done
}

lines() { # lines NUMBER COMMAND...: it prints so many
    want=$1
    shift
    "$@" >"$work/found"
    cat "$work/found"
    [ "$(wc -l <"$work/found")" -eq "$want" ]
}

check "layers: known" sh -c "[ $(echo $layers | wc -w) -ge 10 ]"
check "layers: none includes one above it" lines 0 includes .
check "layers: no archive needs one above it" lines 0 symbols "$build"

mkdir "$work/tree"
for layer in $layers; do mkdir -p "$work/tree/$(folder "$layer")"; done
echo '#include "sw/services/common/service.h"' >"$work/tree/sim/guest/guest.c"
echo '#include "sim/guest/service/service.h"' >"$work/tree/sw/sw.c"
check "layers: an include from above is found" lines 1 includes "$work/tree"
echo 'void above(void); void below(void); void below(void) { above(); }' >"$work/below.c"
echo 'void above(void); void below(void); void above(void) { below(); }' >"$work/above.c"
${CC:-cc} -c -o "$work/below.o" "$work/below.c" && ar rc "$work/libsw.a" "$work/below.o"
${CC:-cc} -c -o "$work/above.o" "$work/above.c" && ar rc "$work/libguest.a" "$work/above.o"
check "layers: a call of a layer above is found" lines 1 symbols "$work"
finish
