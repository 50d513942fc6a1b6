# Full/empty bits from CUDA programs, and the driver's times (full/empty paper, Table 2, Figures 9 and
# 10): on the paper's machine, config/gtx580.ini.
. tests/e2e/lib.sh.inc

on() { # on MACHINE COMMAND
    limited "$evgpu" run --config "$1.ini" --tiles model --program "$2"
}

# NAME VALUE lines, each within 0.1 us of the figure.
within() { # within BYTES FIGURES
    on gtx580 "$build/apps/copyLatency --bytes $1" >"$work/figures" || return 1
    awk -v want="$2" 'BEGIN { n = split(want, w) }
        $1 == "figure" { got[$2] = $3 }
        END {
            for (i = 1; i < n; i += 2) {
                d = got[w[i]] - w[i + 1]
                if (!(w[i] in got) || d > 0.1 || d < -0.1) {
                    print w[i], "is", got[w[i]], "not", w[i + 1]
                    bad = 1
                }
            }
            exit bad
        }' "$work/figures"
}
for bytes in 4 4096 65536 500000 1048576 4194304; do
    figures=$(awk -v n=$bytes 'BEGIN {
        s = n / 6800 # us at 6.8 GB/s
        printf "sync_htod %f sync_dtoh %f ", 7 + s, 7 + s
        printf "async_htod_return 1.2 async_dtoh_return 1.2 async_htod %f async_dtoh %f ", 9 + s, 9 + s
        printf "halves_difference 6 launch_return 1.5 launch_driver 3"
    }')
    check "calls take what Table 2 and Figure 10 say: $bytes bytes" within $bytes "$figures"
done

libs=$(cd "$build/lib" && pwd)
build_c() {
    ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I. tests/cuda/api/full_empty.c \
        -o "$work/full_empty" -L"$libs" -lcudart -lcuda -lpthread "-Wl,-rpath,$libs"
}
build_cxx() {
    ${CXX:-g++} -O1 -Wall -Wextra -Werror -Isw/cuda/include tests/cuda/api/full_empty_cxx.cpp \
        -o "$work/full_empty_cxx" -L"$libs" -lcudart -lcuda "-Wl,-rpath,$libs"
}
time_out() {
    on gtx580 "$work/full_empty timeout" >"$work/text" 2>&1
    [ $? -ne 0 ] && grep -q 'full/empty time-out: copy .* waits for word 0x[0-9a-f]* to be full for 20' "$work/text" ||
        { cat "$work/text"; return 1; }
}
check "C: the program is built by gcc" build_c
check "C++: the program is built by g++" build_cxx
check "C: triggers, actions, marks, overrides, release, misuse" on gtx580 "$work/full_empty"
check "C: the same on the integrated machine, with one copy engine" on llano "$work/full_empty"
check "C++: overloads with defaults" on gtx580 "$work/full_empty_cxx"
check "a machine without such memory" on gtx480 "$work/full_empty none"
check "a wait without end ends the run with a message" time_out

# The example of docs/guide/programs.md, as it stands there.
if ! command -v clang++-14 >/dev/null; then
    skip "the example of docs/guide/programs.md: clang++-14 is needed"
    finish
fi
example() {
    sed -n '/^```cuda$/,/^```$/p' docs/guide/programs.md | sed '1d;$d' >"$work/early.cu"
    "$("$evgpu" cuda-home)/bin/nvcc" -o "$work/early" "$work/early.cu" && on gtx580 "$work/early"
}
check "the example of docs/guide/programs.md" example

finish
