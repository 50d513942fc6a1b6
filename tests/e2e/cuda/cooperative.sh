# Cooperative launches: blocks that wait for each other get on, also beside other work; more than fit at
# once are refused.
. tests/e2e/lib.sh.inc

# A program sees the cores that its launches get, and no reserved ones.
beside_events() { # beside_events PROGRAM
    "$evgpu" run --sched reserve --tiles model --service echo,packets=32 --program "$1" --no-alone >"$work/kept" 2>&1 &&
        grep -q "^Verdict  *verified: 32 packets equal their host references" "$work/kept"
}
if [ -x "$build/apps/mst" ]; then
    check "cooperative: as many blocks as can be resident, beside reserved cores" beside_events "$build/apps/mst --nodes 100 --degree 3"
fi

if ! command -v clang++-14 >/dev/null; then
    skip "cooperative: clang++-14 is needed"
    finish
fi

cp tests/kernels/cooperative.cu.inc "$work/shift.cu"
check "cooperative: compiled" sw/cu2ptx.sh "$work/shift.cu" "$work/shift.ptx"

shift_rounds() { # BLOCKS
    "$evgpu" kernel "$work/shift.ptx" shift --tiles model --cooperative --grid "$1" --block 64 \
        --arg zero:$(($1 * 256)) --arg zero:$(($1 * 256)) --arg s32:3 --out 0="$work/a" &&
        od -A n -v -t u4 -w4 "$work/a" | awk -v n=$(($1 * 64)) '{ t = NR - 1
            want = 0; split("1 3 3 1", c, " ")
            for (k = 0; k < 4; k++) want += c[k + 1] * ((t + k) % n)
            if ($1 != want) { print t, $1, want; bad = 1 } } END { exit bad || NR != n }'
}
check "cooperative: one block" shift_rounds 1
check "cooperative: all that fit" shift_rounds 120
check "cooperative: more than fit" fails_with 2 "of 121 blocks only 120 can be resident at a time" \
    "$evgpu" kernel "$work/shift.ptx" shift --tiles model --cooperative --grid 121 --block 64 \
    --arg zero:65536 --arg zero:65536 --arg s32:3

program() { # program OPTION...: compiled so
    cp tests/kernels/cooperative_program.cu.inc "$work/program.cu" &&
        "$home/bin/nvcc" "$@" -o "$work/program" "$work/program.cu" || return 1
    EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model' LD_LIBRARY_PATH=$home/lib64 \
        limited "$work/program" >"$work/got" || return 1
    printf '%s\n' "no error" "no error" "bad 0" "too many blocks in cooperative launch" "6 10 10 18" \
        "0 1 14 3" "no error" >"$work/want"
    diff "$work/want" "$work/got"
}
home=$("$evgpu" cuda-home)
if [ -e "$home/lib64/libcudart.so" ]; then
    check "cooperative: a program with grid groups, pointers and objects" program -O2
    check "cooperative: the same, beside reserved cores" beside_events "$work/program"
    check "cooperative: ... whose number its refusal names" grep -q "blocks only 128 can be resident at a time; 8 of 16 cores are for launches" "$work/kept"
    export EVGPU_TIMING=none
    check "cooperative: the same, not timed" program -O2
    unset EVGPU_TIMING
    check "cooperative: the same without optimisation" program -G -O0
else
    skip "cooperative: there is no libcudart.so in $home/lib64"
fi
finish
