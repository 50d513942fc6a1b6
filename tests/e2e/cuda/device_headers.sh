# A barrier over the whole grid: every block sees what all blocks have done before it.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "device headers: clang++-14 is needed"
    finish
fi

together() {
    sw/cu2ptx.sh tests/sw/cuda/device_headers.cu "$work/headers.ptx" || return 1
    "$evgpu" kernel "$work/headers.ptx" together --tiles model --grid 24 --block 96 --arg zero:4 \
        --arg zero:96 --out 0="$work/word" --out 1="$work/seen" || return 1
    [ "$(od -An -tu4 "$work/word" | tr -d ' ')" = 100 ] || return 1
    [ "$(od -An -v -tu4 -w4 "$work/seen" | sort -u | tr -d ' ')" = 24 ]
}
check "grid barrier" together
finish
