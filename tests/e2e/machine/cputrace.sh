# evgpu cputrace: a program of known instructions recorded, files of every packing, what must fail.
. tests/e2e/lib.sh.inc

trace="$evgpu cputrace"

check "cputrace: applications and mixes are listed" sh -c "$trace --list | grep -q '^  soplex  *103.2$' &&
    $trace --list | grep -q '^  H1  *milc, soplex, milc, omnetpp,'"

figure() { # FILE KEY: of a description
    jq ".$2" "$1"
}

# An application written in each packing is the same stream again.
packed() {
    for name in t t.gz t.xz; do
        $trace --application omnetpp --skip 1000 --count 30000 "$work/$name" || return 1
        $trace --describe "$work/$name" --count 20000 --json "$work/$name.json" || return 1
    done
    [ "$(stat -c %s "$work/t")" -eq $((30000 * 64)) ] || return 1
    gzip -cd "$work/t.gz" | cmp - "$work/t" && xz -cd "$work/t.xz" | cmp - "$work/t" || return 1
    for key in load_percent l2_mpki branch_percent; do
        [ "$(figure "$work/t.json" $key)" = "$(figure "$work/t.gz.json" $key)" ] &&
            [ "$(figure "$work/t.json" $key)" = "$(figure "$work/t.xz.json" $key)" ] || return 1
    done
    ! ls "$work"/.[0-9]*-* 2>/dev/null # base/output.c
}
check "cputrace: an application's stream in a plain, a gzip and an xz file" packed

head -c 100000 "$work/t" >"$work/cut"
head -c 20000 "$work/t.gz" >"$work/cut.gz"
head -c 9000 "$work/t.xz" >"$work/cut.xz"
: >"$work/none"
echo "a text of another kind" >"$work/text"
check "cputrace: truncated file" fails_with 2 "cut: record 1562: the trace ends after 32 of its 64 bytes" $trace --describe "$work/cut"
check "cputrace: truncated gzip file" fails_with 2 "gzip file is truncated" $trace --describe "$work/cut.gz"
check "cputrace: truncated xz file" fails_with 2 "xz file is truncated" $trace --describe "$work/cut.xz"
check "cputrace: empty file" fails_with 2 "none: the file is empty" $trace --describe "$work/none"
check "cputrace: unknown kind" fails_with 2 "text: is text but not a Ramulator trace" $trace --describe "$work/text"
check "cputrace: unknown application" fails_with 2 "'doom' is neither a file nor an application" $trace --describe doom
check "cputrace: no such application" fails_with 2 "--application doom" $trace --application doom "$work/x"
check "cputrace: two things at once" fails_with 2 "only one of" $trace --list --describe mcf
check "cputrace: no program" fails_with 2 "name the PROGRAM to record" $trace "$work/x"
cp "$work/t" "$work/own"
check "cputrace: figures in the trace's own file" fails_with 2 "own: is the file of --describe, too" \
    $trace --describe "$work/own" --json "$work/own"
check "... which is as it was" cmp "$work/t" "$work/own"
check "cputrace: a trace in the program's own file" fails_with 2 "own: is the file of PROGRAM, too" \
    $trace "$work/own" -- "$work/own"
check "cputrace: figures without a name" fails_with 2 "--json: the file's name is empty" $trace --describe mcf --json ""
check "cputrace: a full device is no bad input" fails_with 1 "/dev/full: cannot be written: No space" \
    $trace --describe mcf --count 1000 --json /dev/full
check "... and the figures are printed" grep -q "^Instructions " "$work/stdout"
check "cputrace: OUT cannot be written" fails_with 2 "none/x" $trace --application mcf --count 9 "$work/none/x"

if ! command -v valgrind >/dev/null; then
    check "cputrace: valgrind is missing" fails_with 2 "valgrind is not installed" $trace "$work/x" -- true
    skip "cputrace: recording needs Debian's package valgrind"
    finish
fi

# 1000 rounds of a load, an addition that needs it, a store, a subtraction and a branch; then a call, a
# return and the end.
cat >"$work/known.s" <<'END'
    .globl _start
_start:
    lea table(%rip), %rbx
    mov $1000, %ecx
again:
    mov (%rbx), %rax
    add %rax, %rdx
    mov %rdx, 8(%rbx)
    sub $1, %ecx
    jnz again
    call leaf
    mov $231, %eax
    xor %edi, %edi
    syscall
leaf:
    ret
    .bss
    .balign 128
table:
    .skip 256
END
gcc -nostdlib -static -o "$work/known" "$work/known.s" || exit 1
table=0x$(nm "$work/known" | awk '$3 == "table" { print $1 }')
again=0x$(nm "$work/known" | awk '$3 == "again" { print $1 }')

# Record N as "ip branch taken target2 source4 store2 load4", numbers in decimal but for addresses.
record() { # FILE N
    od -An -v -j $(($2 * 64)) -N 8 -t x8 "$1" | tr -d ' \n'
    od -An -v -j $(($2 * 64 + 8)) -N 8 -t u1 "$1" | tr -s ' \n' '  '
    od -An -v -j $(($2 * 64 + 16)) -N 48 -t x8 "$1" | sed 's/0000000000000000/0/g' | tr -s ' \n' '  '
    echo
}
# N, how far behind 'again' it lies, the rest as record says it.
expect() { # N OFFSET REST
    want="$(printf '%016x' $((again + $2))) $3"
    got=$(record "$work/known.trace" "$1" | tr -s ' ' | sed 's/ *$//')
    [ "$got" = "$want" ] || { echo "record $1 is '$got' instead of '$want'"; return 1; }
}
known() {
    $trace "$work/known.trace" -- "$work/known" >"$work/said" || return 1
    cat "$work/said"
    grep -q '5007 instructions, to the program.s end' "$work/said" || return 1
    [ "$(stat -c %s "$work/known.trace")" -eq $((5007 * 64)) ] || return 1
    at=$(printf '%016x' $((table)))
    next=$(printf '%016x' $((table + 8)))
    # rax is register 10, rdx 8, rbx 7, rcx 9; 25 are the flags, 26 the instruction pointer.
    expect 2 0 "0 0 10 0 7 0 0 0 0 0 $at 0 0 0" &&
        expect 3 3 "0 0 8 25 8 10 0 0 0 0 0 0 0 0" &&
        expect 4 6 "0 0 0 0 7 8 0 0 $next 0 0 0 0 0" &&
        expect 5 10 "0 0 9 25 9 0 0 0 0 0 0 0 0 0" &&
        expect 6 13 "1 1 26 0 26 25 0 0 0 0 0 0 0 0" &&
        expect 5001 13 "1 0 26 0 26 25 0 0 0 0 0 0 0 0" || return 1
    # The call reads and writes stack and instruction pointer and stores; the return loads the same place.
    call=$(record "$work/known.trace" 5002) return=$(record "$work/known.trace" 5003)
    echo "$call" && echo "$return"
    set -- $call
    [ "$2 $3 $4 $5 $6 $7" = "1 1 26 6 26 6" ] || return 1
    stack=${10}
    set -- $return
    [ "$2 $3 $4 $5 $6 $7" = "1 1 26 6 6 0" ] && [ "${12}" = "$stack" ] && [ "$stack" != 0 ] || return 1
    $trace --describe "$work/known.trace" --count 5007 --json "$work/known.json" &&
        [ "$(jq '[.load_percent, .store_percent, .branch_percent | . * 50.07 + 0.5 | floor] | @csv' "$work/known.json")" = '"1001,1001,1002"' ]
}
check "cputrace: every record of a program of known instructions" known

# The recorder sleeps until the program is at its end, and reads all of its code even so. A gate before
# valgrind keeps the program from its start until the recorder sleeps.
mkdir "$work/gated"
cat >"$work/gated/valgrind" <<GATE
#!/bin/sh
until [ -e "$work/open" ]; do sleep 0.05; done
exec $(command -v valgrind) "\$@"
GATE
chmod +x "$work/gated/valgrind"
at_gate() { # RECORDER: its child waits for nothing of it any more
    child=$(cat "/proc/$1/task/$1/children")
    grep -qsa gated/valgrind "/proc/${child% }/cmdline"
}
late() {
    env PATH="$work/gated:$PATH" $trace "$work/late.trace" -- "$work/known" >"$work/said" &
    recorder=$!
    until_true at_gate $recorder
    kill -STOP $recorder
    program=$(cat /proc/$recorder/task/$recorder/children)
    touch "$work/open"
    until_true grep -qs '^State:.[tZ]' "/proc/${program% }/status"
    kill -CONT $recorder
    await $recorder
    [ $? -eq 0 ] && cat "$work/said" || return 1
    # In the same environment, whose size moves the stack.
    env PATH="$work/gated:$PATH" $trace "$work/prompt.trace" -- "$work/known" >"$work/said" &&
        cmp "$work/late.trace" "$work/prompt.trace"
}
check "cputrace: a recorder that is late" late

part() {
    $trace --skip 102 --count 50 "$work/part.gz" -- "$work/known" || return 1
    gzip -cd "$work/part.gz" >"$work/part" && [ "$(stat -c %s "$work/part")" -eq 3200 ] &&
        cmp -n 3200 -i 0:$((102 * 64)) "$work/part" "$work/known.trace"
}
check "cputrace: a part from the middle" part

mkdir "$work/empty"
check "cputrace: valgrind is missing" fails_with 2 "valgrind is not installed" \
    env PATH="$work/empty" "$(realpath "$evgpu")" cputrace "$work/x" -- "$work/known"
check "cputrace: no such program" fails_with 2 "nowhere: no such program" $trace "$work/x" -- nowhere
check "cputrace: a program that fails" fails_with 1 "false ended with status 1 after" $trace "$work/x" -- false
check "cputrace: a program that is shorter" fails_with 1 "known ended after 5007 instructions, before --skip 6000" \
    $trace --skip 6000 "$work/x" -- "$work/known"
recording() { # what is recorded is in a file beside x
    for recorded in "$work"/.[0-9]*.x; do
        [ -s "$recorded" ] && return
    done
    return 1
}
interrupted() {
    $trace "$work/x" -- sh -c 'while :; do :; done' 2>"$work/stderr" &
    recorder=$!
    until_true recording
    kill -INT $recorder
    await $recorder
    [ $? -eq 1 ] && grep -q interrupted "$work/stderr" && until_true none_left
}
check "cputrace: SIGINT ends program and recording" interrupted
check "cputrace: nothing is left of what failed" sh -c "! ls $work/x $work/.[0-9]*.x 2>/dev/null"
finish
