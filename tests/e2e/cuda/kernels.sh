# Unseen kernels: each RUN line of tests/kernels/*.cu, compiled by clang at several levels, against
# the same source run on the host (tests/kernels/host.h). All buffers must be equal to the last bit.
#
#   // RUN NAME GRID BLOCK [OPTION VALUE]... : ARGUMENT...
#
# OPTION is one of `evgpu kernel`; ARGUMENT is TYPE:VALUE, data:BYTES or floats:BYTES.
#
# The committed PTX of `make run` is that of its source, without source lines.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null || ! command -v g++ >/dev/null; then
    skip "kernels: clang++-14 and g++ are needed"
    finish
fi

committed() { # committed FILE.ptx
    sw/cu2ptx.sh "${1%.ptx}.cu" "$work/made.ptx" -g0 && cmp "$1" "$work/made.ptx" && ! grep -E '\.loc|\.file|\.debug' "$1" &&
        [ "$(head -n 1 "$1")" = "// Generated from ${1%.ptx}.cu by sw/cu2ptx.sh; do not edit" ]
}
for file in sw/*/*/*.ptx; do
    check "$file is of its source (make kernels)" committed "$file"
done
check "no others are committed" test "$(echo sw/*/*/*.ptx)" = "$(sed -n 's/^KERNELS_COMMITTED := //p' mk/kernels.mk)"

# The machine warns of an instruction that a file's .version or .target does not have.
no_warning() {
    for file in "$build"/sw/*/*/*.ptx; do
        "$evgpu" kernel "$file" nobody >"$work/text" 2>&1
        grep -q 'no kernel named nobody' "$work/text" && ! grep warning "$work/text" || { cat "$work/text"; return 1; }
    done
}
check "all hold by their own header" no_warning
sed 's/^\.version .*/.version 5.0/' "$build/sw/services/ipsec/esp.ptx" >"$work/early.ptx"
early() {
    "$evgpu" kernel "$work/early.ptx" nobody 2>&1 | grep -c 'warning: .*early.ptx:[0-9]*: bar.warp.sync is of PTX ISA 6.0 and .version 5.0' | grep -qx 1
}
check "a file that does not is named, once" early

host_program() { # host_program FILE.cu PROGRAM
    {
        printf '#include "tests/kernels/host.h"\n#include "%s"\nint main(int n, char **v)\n{\n' "$1"
        sed -n 's,^// RUN \([a-z0-9_]*\) .*,\1,p' "$1" | sort -u |
            sed 's/.*/    host_kernels["&"] = host_wrap(&);/'
        printf '    return host_main(n, v);\n}\n'
    } >"$2.cpp"
    g++ -std=c++17 -O1 -w -fwrapv -fno-strict-aliasing -ffp-contract=off -I. -o "$2" "$2.cpp"
}

# On the host, then on the machine; every buffer of both is compared.
run_kernel() { # run_kernel HOST PTX NAME GRID BLOCK [OPTION VALUE]... : ARGUMENT...
    host=$1 ptx=$2 name=$3 grid=$4 block=$5
    shift 5
    options= arguments= gpu_arguments= outputs= gpu_outputs=
    while [ "$1" != : ]; do
        options="$options $1"
        shift
    done
    shift
    index=0
    for argument in "$@"; do
        case $argument in
        data:* | floats:*)
            file=$work/$(printf '%s' "$argument$index" | tr -c 'a-z0-9' _)
            [ -e "$file" ] || "$host" "${argument%%:*}" "${argument#*:}" "$index" "$file" || return 1
            argument=buf:$file
            ;;
        esac
        case $argument in
        buf:* | zero:*)
            outputs="$outputs $work/host.$index"
            gpu_outputs="$gpu_outputs --out $index=$work/gpu.$index"
            ;;
        esac
        arguments="$arguments $argument"
        gpu_arguments="$gpu_arguments --arg $argument"
        index=$((index + 1))
    done
    rm -f "$work"/host.[0-9] "$work"/gpu.[0-9]
    "$host" "$name" "$grid" "$block" $arguments $outputs || return 1
    "$evgpu" kernel "$ptx" "$name" --tiles model --max-cycles 20000000 --grid "$grid" \
        --block "$block" $options $gpu_arguments $gpu_outputs || return 1
    for file in $outputs; do
        cmp "$file" "$work/gpu.${file##*.}" || return 1
    done
}

levels='-O0
-O2
-O3 --cuda-gpu-arch=sm_60'
[ "${EVGPU_SAN:-0}" = 0 ] || levels=-O2

for source in tests/kernels/*.cu; do
    base=$(basename "$source" .cu)
    check "$base on the host" host_program "$source" "$work/$base"
    while read -r flags; do
        check "$base $flags" sw/cu2ptx.sh "$source" "$work/$base.ptx" \
            -include tests/kernels/device.h -ffp-contract=off -w $flags
        grep '^// RUN ' "$source" >"$work/runs"
        while read -r _ _ line; do
            check "$base $flags: $line" run_kernel "$work/$base" "$work/$base.ptx" $line
        done <"$work/runs"
    done <<END
$levels
END
done
finish
