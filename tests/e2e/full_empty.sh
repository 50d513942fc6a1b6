# Full/empty bits from CUDA programs, and the driver's times (full/empty paper, Table 2, Figures 9 and
# 10): on the paper's machine, config/gtx580.ini.
. tests/e2e/lib.sh.inc

on() { # on MACHINE COMMAND
    timeout 120 "$evgpu" run --config "$1.ini" --tiles model --program "$2"
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

finish
