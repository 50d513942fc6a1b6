# Programs of mistakes (tests/cuda/mistakes): each is named with source line, block, thread and what it
# missed.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "mistakes: clang++-14 is needed"
    finish
fi
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model'
sources=tests/cuda/mistakes

# In inline assembler there is what sm_80 has.
compile() { "$build/cuda/bin/nvcc" -lineinfo -arch=sm_80 -o "$work/$1" "$sources/$1.cu"; }
line_of() { grep -n "// .*BAD.* $2\( \|\$\)" "$sources/$1.cu" | head -n 1 | cut -d: -f1; }
contains() { # contains TEXT: the message
    grep -qF -- "$1" "$work/stderr" && return
    echo "no '$1' in:"
    cat "$work/stderr"
    return 1
}

# access_fails NAME ERROR THREAD TEXT: by the chosen thread of block (1,0,0) if THREAD is empty
access_fails() {
    limited "$work/access" "$1" >"$work/stdout" 2>"$work/stderr"
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
host|700||is it a host pointer?
readonly|700||is in memory that the device may only read (cudaHostRegisterReadOnly)
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

# What --check finds: the access and the one before it, by line and thread; nothing in what is right.
finds() { # finds NAME THREAD TEXT
    limited env EVGPU_FLAGS="$EVGPU_FLAGS --no-profile --check all" "$work/memory" "$1" \
        >"$work/stdout" 2>"$work/stderr"
    got=$?
    first=$(grep -n "// .*FIRST.* $1\( \|\$\)" "$sources/memory.cu" | head -n 1 | cut -d: -f1)
    [ "$got" -eq 1 ] || { echo "status $got"; cat "$work/stderr"; return 1; }
    contains "$sources/memory.cu:$(line_of memory "$1"))" && contains "$2" && contains "$3" &&
        contains "check: 1 place," && { [ -z "$first" ] || contains "$sources/memory.cu:$first)"; }
}
right() { # right [NAME]: the same, done right
    limited env EVGPU_FLAGS="$EVGPU_FLAGS --no-profile --check all" "$work/memory" "$@" \
        >"$work/stdout" 2>"$work/stderr" || { cat "$work/stderr"; return 1; }
    contains "check: 0 places, 0 times"
}
check "mistakes: memory is compiled" compile memory
while IFS='|' read -r name thread text; do
    check "mistakes: $name" finds "$name" "$thread" "$text"
done <<'LIST'
raw|thread (0,0,0) reads 4 bytes at shared address 0x80, which thread (32,0,0) writes|read after write
war|thread (0,0,0) writes 4 bytes at shared address 0x0, which thread (32,0,0) reads|write after read
waw|thread (32,0,0) writes 4 bytes at shared address 0x0, which thread (0,0,0) writes|write after write
lanes|thread (31,0,0) writes 4 bytes at shared address 0x0, which thread (0,0,0) writes|write after write
partial|thread (0,0,0) reads 4 bytes at shared address 0x100, which thread (64,0,0) writes|read after write
between|race in device memory, read after write in another block: thread (0,0,0) reads 4 bytes at address|which thread (3,3,3) of block (0,1,0) writes
within|thread (0,0,0) writes 4 bytes at address|race in device memory, write after read without a barrier between
bytes|writes 1 bytes at address|race in device memory, write after write in another block
ended|barrier 0 opens without thread (|which has ended and was not there
barrier|thread (7,0,0) has arrived, thread (0,0,0) of the same warp has not|divergent barrier 1:
early|thread (0,0,0) reads 4 bytes at shared address 0x0, which thread (0,0,0) copies|before a copy is there
waits|thread (0,0,0) reads 4 bytes at shared address 0x80, which thread (32,0,0) writes|read after write without a barrier
unset|thread (0,0,0)|that were never written: 0 bytes inside 256 bytes at
part|thread (40,0,0)|that were never written: 160 bytes inside 256 bytes at
sharedunset|thread (37,0,0)|reads 4 bytes at shared address 0x94 that were never written
heapunset|thread (5,0,0)|that were never written: 12 bytes inside 64 bytes at
LIST
check "mistakes: none in what is right" right
fails_the_run() {
    "$evgpu" run --config gtx480.ini --tiles model --no-profile --check races \
        --program "$work/memory raw" >"$work/stdout" 2>"$work/stderr"
    [ $? -eq 1 ] && grep -q '^NOT VERIFIED: --check found mistakes' "$work/stdout"
}
check "mistakes: what is found fails the run" fails_the_run
check "mistakes: --check with another word" fails_with 2 "must be uninit, races, barriers or all" \
    "$evgpu" run --check unit

# Bad reads go on where the user says so: each place once, 0 for the lane, and no failure of the run.
stray() { # stray STATUS TEXT OPTION...
    want=$1 text=$2
    shift 2
    limited env EVGPU_FLAGS="$EVGPU_FLAGS --no-profile $*" "$work/stray" >"$work/stdout" 2>"$work/stderr"
    [ $? -eq "$want" ] && grep -qx "$text" "$work/stdout" || { cat "$work/stdout" "$work/stderr"; return 1; }
}
stray_places() {
    stray 0 right --on-bad-read report && contains "bad read: 7 places, 97 times, each gave 0" || return 1
    for name in left seen shared local vector copied half; do
        [ "$(grep -c "^evgpu: bad read: .*stray.cu:$(line_of stray $name))" "$work/stderr")" -eq 1 ] ||
            { echo "$name:"; cat "$work/stderr"; return 1; }
    done
}
check "mistakes: stray is compiled" compile stray
check "mistakes: bad reads that go on" stray_places
check "mistakes: ... beside races" stray 0 right --on-bad-read report --check races
check "mistakes: a bad read stops" stray 1 cudaErrorIllegalAddress
check "mistakes: ... and names the other way" contains "(evgpu run --on-bad-read report reads 0 instead)"
check "mistakes: a bad write stops all the same" access_fails after 700 "" "1 byte after the nearest allocation"
check "mistakes: --on-bad-read with another word" fails_with 2 "must be stop or report" "$evgpu" run --on-bad-read ask

# What never ends is named by the limit of cycles, or by the watchdog.
hangs() { # hangs NAME OPTIONS THREAD TEXT
    limited env EVGPU_FLAGS="$EVGPU_FLAGS --no-profile $2" "$work/hang" "$1" >"$work/stdout" 2>"$work/stderr"
    grep -q "^702 " "$work/stdout" || { cat "$work/stdout" "$work/stderr"; return 1; }
    contains "$sources/hang.cu:$(line_of hang "$1"))" && contains "$3" && contains "$4"
}
check "mistakes: hang is compiled" compile hang
check "mistakes: an endless loop" hangs endless '--max-cycles 300000' \
    'block (0,0,0), thread (0,0,0) and lanes ffffffff' 'cycle limit of 300000 reached'
check "mistakes: a lock that never opens" hangs spinlock '--max-cycles 300000' \
    'block (0,0,0), thread (1,0,0) and lanes fffffffe' 'cycle limit of 300000 reached'
check "mistakes: warps that wait for each other" hangs deadlock '--max-cycles 300000' \
    'block (0,0,0), thread (32,0,0) and lanes ffffffff' 'thread (0,0,0) and lanes ffffffff: waits at a barrier'
export EVGPU_TIMING=none
check "mistakes: an endless loop, not timed" hangs endless '--max-cycles 300000' \
    'block (0,0,0), thread (0,0,0) and lanes ffffffff' 'cycle limit of 300000 reached'
check "mistakes: an access, not timed" access_fails vector 700 '' 'load of 16 bytes at address'
unset EVGPU_TIMING
check "mistakes: a barrier that waits for more threads" hangs missing '--watchdog 50000' \
    'block (0,0,0), thread (0,0,0)' 'hang: no progress for'
finish
