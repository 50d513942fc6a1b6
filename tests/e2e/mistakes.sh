# Programs of mistakes (tests/cuda/mistakes): each is named with source line, block, thread and what it
# missed.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "mistakes: clang++-14 is needed"
    finish
fi
if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "mistakes: a sanitized library needs a sanitized program"
    finish
fi
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model'
sources=tests/cuda/mistakes

compile() { "$build/cuda/bin/nvcc" -lineinfo -o "$work/$1" "$sources/$1.cu"; }
line_of() { grep -n "// .*BAD.* $2\( \|\$\)" "$sources/$1.cu" | head -n 1 | cut -d: -f1; }
contains() { # contains TEXT: the message
    grep -qF -- "$1" "$work/stderr" && return
    echo "no '$1' in:"
    cat "$work/stderr"
    return 1
}

# access_fails NAME ERROR THREAD TEXT: by the chosen thread of block (1,0,0) if THREAD is empty
access_fails() {
    timeout 60 "$work/access" "$1" >"$work/stdout" 2>"$work/stderr"
    grep -q "^$2 " "$work/stdout" || { cat "$work/stdout" "$work/stderr"; return 1; }
    line=$(line_of access "$1")
    contains "$sources/access.cu:${line:-none})" && contains "block (1,0,0), thread (${3:-3,1,1})" &&
        contains "$4"
}

check "mistakes: access is compiled" compile access
while IFS='|' read -r name error thread text; do
    check "mistakes: $name" access_fails "$name" "$error" "$thread" "$text"
done <<'LIST'
after|700||is outside allocated memory: 1 byte after the nearest allocation, 400 bytes at
before|700||is outside allocated memory: 4 bytes before the nearest allocation, 400 bytes at
null|700||address 0x8 is outside allocated memory: a null pointer plus 8;
host|700||a pointer of the host?
freed|700||is in freed memory: 20 bytes inside freed 400 bytes at
managed|700||1 byte after the nearest allocation, 100 bytes at
misaligned|716||is misaligned; 6 bytes inside 400 bytes at
vector|700||load of 16 bytes at address
atomic|700||atomic of 4 bytes at address
coalesced|700|4,0,1|1 byte after the nearest allocation, 400 bytes at
shared|700||load of 4 bytes at shared address 0x40 is outside the block's shared memory, 1 byte after its end; it has 64 bytes
local|700||is outside the thread's local memory, 1 byte after its end; it has 24 bytes
variable|700||1 byte after the nearest allocation, 40 bytes at
constant|700||is in the wrong space: constant memory: 4 bytes inside 16 bytes at
space|700||is in the wrong space: offset 0 of shared memory
space2|700||wrong space? As a device address it is 0 bytes inside 400 bytes at
heap|700||1 byte after the nearest allocation, 40 bytes at
heapfreed|700||is in freed memory: 16 bytes inside freed 40 bytes at
LIST
finish
