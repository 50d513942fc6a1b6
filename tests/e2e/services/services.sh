# What the machine does for every program: printf in order and in CUDA's formats, assertions in CUDA's
# words, malloc and free, traps.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "services: clang++-14 is needed"
    finish
fi

kernel() { # kernel NAME OPTION... : on stdout what it printed, without the figures
    "$evgpu" kernel "$work/services.ptx" "$@" --tiles model >"$work/printed"
    status=$?
    sed '/^kernel  */,$d' "$work/printed"
    return $status
}

compile() { # OPTION...
    cp tests/kernels/services.cu.inc "$work/services.cu" &&
        sw/cu2ptx.sh "$work/services.cu" "$work/services.ptx" "$@"
}

prints() {
    kernel print --grid 1 --block 4 --arg s32:3 >"$work/got" || return 1
    printf '%s\n' "0 even a 0.000 0    -2|ff   |" "1 odd b 0.125 8589934592    -1|fe   |" \
        "2 even c 0.250 17179869184     0|fd   |" "plain" "local ok, 0" >"$work/want"
    diff "$work/want" "$work/got"
}

prints_same_twice() {
    kernel print --grid 9 --block 64 --arg s32:40 >"$work/first" &&
        kernel print --grid 9 --block 64 --arg s32:40 >"$work/second" &&
        cmp "$work/first" "$work/second" && [ "$(grep -c '|$' "$work/first")" -eq 360 ]
}

lists() {
    kernel lists --grid 3 --block 70 --arg zero:840 --out 0="$work/lists" || return 1
    od -A n -v -t d4 -w4 "$work/lists" | awk '{ t = NR - 1; n = 1 + t % 7
        if ($1 != t * n * (n - 1) / 2 + 5) { print "thread", t, $1; bad = 1 } } END { exit bad || NR != 210 }'
}

exhaust() {
    kernel exhaust --arg zero:16 --out 0="$work/exhaust" || return 1
    [ "$(od -A n -t d4 "$work/exhaust" | tr -s ' ')" = " 1 1 1 1" ]
}

asserts() {
    "$evgpu" kernel "$work/services.ptx" check --tiles model --block 40 --arg s32:38 2>"$work/stderr"
    [ $? -eq 1 ] || return 1
    cat "$work/stderr"
    grep -q "services.cu:[0-9]*: void check(int): block: \[0,0,0\], thread: \[38,0,0\] Assertion .(int)threadIdx.x < limit. failed\.$" \
        "$work/stderr" && grep -q 'thread: \[39,0,0\] Assertion' "$work/stderr" &&
        [ "$(grep -c Assertion "$work/stderr")" -eq 2 ] &&
        grep -q '^evgpu: .*kernel check, PTX line .*: assertion .* failed; block (0,0,0), thread (38,0,0)$' "$work/stderr"
}

for level in -O0 -O2; do
    check "services $level" compile $level
    check "services $level: printf" prints
    check "services $level: printf is in the same order every time" prints_same_twice
    check "services $level: malloc, free and new" lists
    check "services $level: a full heap" exhaust
    check "services $level: assert" asserts
    check "services $level: an assertion that holds" kernel check --block 40 --arg s32:40
    check "services $level: free of what is free" fails_with 1 "which malloc did not return" \
        "$evgpu" kernel "$work/services.ptx" free_twice --tiles model
    check "services $level: trap" fails_with 1 "trap; block (0,0,0), thread (3,0,0)" \
        "$evgpu" kernel "$work/services.ptx" stop --block 32 --tiles model
done

# A program gets what its kernels print in its own output, when it waits for them; its limits count.
program() {
    cp tests/kernels/services_program.cu.inc "$work/program.cu" &&
        "$home/bin/nvcc" -o "$work/program" "$work/program.cu" || return 1
    EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model' LD_LIBRARY_PATH=$home/lib64 \
        limited "$work/program" >"$work/got" 2>"$work/stderr" || return 1
    printf '%s\n' start launched "hello from 0 of 3, gpu" "hello from 1 of 3, gpu" \
        "hello from 2 of 3, gpu" synced "limit 1024" "set: no error" "sum 5050 no error" \
        "heap: no error" "error 710 device-side assert triggered" >"$work/want"
    cat "$work/stderr"
    diff "$work/want" "$work/got" &&
        grep -q 'thread: \[1,0,0\] Assertion `n == 3. failed\.$' "$work/stderr"
}

home=$("$evgpu" cuda-home)
if [ -e "$home/lib64/libcudart.so" ]; then
    check "services: a program" program
else
    skip "services: there is no libcudart.so in $home/lib64"
fi
finish
