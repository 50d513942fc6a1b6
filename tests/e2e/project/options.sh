# Options and settings that cannot be meant as they stand, and help for those who mistype.
. tests/e2e/lib.sh.inc

refused() { # refused TEXT WORD...: one line with TEXT, before anything runs
    text=$1
    shift
    check "$*: $text" fails_with 2 "$text" "$evgpu" "$@"
}

# --- numbers --------------------------------------------------------------------------------------
refused "packets=0: must be 1 to" run --packets 0
refused "batch=0: must be 1 to" run --service ipv4,batch=0
refused "--max-cycles: must be 1 or more" run --max-cycles 0
refused "--max-cycles: must be 1 or more" kernel x.ptx k --max-cycles 0
refused "--watchdog: must be 1 or more" run --watchdog 0
refused "--trace-trigger doorbell: must be 1 or more" run --trace-trigger doorbell:0
for number in "" -1 +1 " 1" 1x 0x 0xg nan 1e3 99999999999999999999; do
    refused "--seed: '$number' is not a whole number" run --seed "$number"
    refused "gpu.cores: '$number' is not a whole number" run --set "gpu.cores=$number"
done
refused "gpu.cores: 64 is out of range" run --set gpu.cores=64
refused "--size -1x4: must be WIDTHxHEIGHT" mesh --size -1x4
refused "--size 4x4x: must be WIDTHxHEIGHT" mesh --size 4x4x
refused "--rate 0: must be a number above 0" mesh --rate 0
refused "--rate nan: must be a number above 0" mesh --rate nan
refused "--iterations: '0' is not a whole number from 1 to 8" mesh --iterations 0
refused "--count: must be 1 or more" routes -n 0 "$work/routes"
refused "--hops: must be 1 or more" routes --hops 0 "$work/routes"
refused "--count: must be 1 or more" pktgen -n 0 "$work/p.pcap"
refused "--trace $work/x.vcd: must not end in .vcd, since it gets FST; fst2vcd converts it" run --trace "$work/x.vcd"
refused "--timeline $work/x.svg: must not end in .svg, since it gets JSON" run --timeline "$work/x.svg"
refused "--timing: needs --program; all kernels are timed beside the service that runs by default" run --timing none
refused "--sample: leave out --timing; --sample chooses what is timed" run --sample --timing all --program vectorAdd
refused "ipv4: out $work/none/x.pcap: No such file" run --out "$work/none/x.pcap"
refused "--json: the file's name is empty" run --json ""
refused "--timeline $work/x: is the file of --json, too" run --json "$work/x" --timeline "$work/x"
"$evgpu" pktgen -n 9 "$work/in.pcap" >/dev/null
ln "$work/in.pcap" "$work/link.pcap"
refused "ipv4: out $work/link.pcap: is the file of ipv4: capture, too" run --capture "$work/in.pcap" --out "$work/link.pcap"
refused "--timeline $work/./y: is the file of --json, too" run --json "$work/y" --timeline "$work/./y"
cp config/edge.ini config/base.ini "$work"
refused "--config $work/edge.ini: is the file of --json, too" run --config "$work/edge.ini" --json "$work/edge.ini"
refused "an include of --config $work/base.ini: is the file of --json, too" run --config "$work/edge.ini" --json "$work/base.ini"
"$evgpu" routes -n 9 "$work/in.routes" >/dev/null
refused "ipv4: out $work/in.routes: is the file of ipv4: routes, too" run --routes "$work/in.routes" --out "$work/in.routes"
refused "ipv4: routes $work/in.routes: is the file of FILE.pcap, too" pktgen --routes "$work/in.routes" "$work/in.routes"
cp sw/apps/matrixMul/matmul.ptx "$work/in.ptx"
refused "--json $work/in.ptx: is the file of FILE.ptx, too" kernel "$work/in.ptx" matmul --json "$work/in.ptx"
refused "--out $work/y: is the file of --out, too" kernel "$work/in.ptx" matmul --out "0=$work/y" --out "1=$work/y"
echo '{}' >"$work/in.json"
refused "RUN.json $work/in.json: is the file of -o, too" report "$work/in.json" -o "$work/in.json"
cp "$work/in.json" "$work/in.svg"
refused "-o $work/in.svg: is the file of FILE.json, too" timeline "$work/in.svg" -o "$work/in.svg"
refused "--rate: must be 1 or more" pktgen --rate 0 "$work/p.pcap"
refused "--size: the frames of memc have sizes of their own" pktgen --service memc --size 64 "$work/p.pcap"
refused "ipv4: launch: does nothing to generated frames; leave it out" pktgen --service ipv4,launch=cpu "$work/p.pcap"
check "pktgen takes packets and rate as it takes its own options" sh -c "$evgpu pktgen --service ipv4,packets=50,rate=5 $work/p.pcap >/dev/null &&
    $evgpu pktgen -n 50 --rate 5 $work/q.pcap >/dev/null && cmp $work/p.pcap $work/q.pcap"
refused "--imix: the frames of gateway have sizes of their own" pktgen --service gateway --imix "$work/p.pcap"
refused "--count: must be 1 or more" cputrace --count 0 "$work/t.xz" -- true
refused "'H1' is a mix of applications; name one application or a file" cputrace --describe H1
refused "name the PROGRAM to record" cputrace "$work/t.xz"
refused "name the file OUT to write" cputrace --application mcf
refused "$work: is a directory, not an experiment" experiment "$work"
refused "$work/none.ini: No such file" experiment "$work/none.ini"
refused "'edge' is neither a machine's file (NAME.ini), nor a section" config edge
refused "--size 64-: must be MIN or MIN-MAX" pktgen --size 64- "$work/p.pcap"
refused "--size -64: must be MIN or MIN-MAX" pktgen --size -64 "$work/p.pcap"
refused "--size 64x: must be MIN or MIN-MAX" pktgen --size 64x "$work/p.pcap"
refused "run build/apps/bfs: must be an option; --program 'build/apps/bfs' runs a CUDA program" run build/apps/bfs
refused "10000000 items do not fit into a table of 16384 entries" run --service memc,sets=10000000
: >"$work/no-items"
refused "the table has no items to request" run --service memc,items="$work/no-items"

# --- what does nothing where it stands ------------------------------------------------------------
refused "--trace-trigger needs --trace" run --trace-trigger preemption
refused "--trace-event needs --trace" run --trace-event 1
refused "--trace-window needs --trace" run --trace-window 9
refused "--trace-before needs --trace-trigger" run --trace "$work/w.fst" --trace-trigger cycle:9 --trace-before 5
for option in capture=x packets=1 rate=1 pace=time routes=x route-count=1 drop launch=edge blocks out=x; do
    refused "--${option%%=*} needs --service" run --program true --"$option"
done
refused "--products needs --background" run --service ipv4 --products 3
refused "--products needs --background" run --program true --products 3
refused "--repeat needs --program" run --repeat
refused "--copies needs --repeat" run --program true --copies 3
refused "--alone needs a program and a --service" run --program true --alone
refused "--alone needs a program and a --service" run --service ipv4 --alone
refused "--concurrency needs --program" run --config cm-bal.ini --cpus L1 --concurrency cm-bal1
refused "--check needs --program" run --config cm-bal.ini --cpus L1 --check races
refused "--scale needs --cpus" run --service ipv4 --scale small
refused "--cpu-warmup needs --cpus" run --cpu-warmup 1
refused "--cpu-quota needs --cpus" run --program true --cpu-quota 1
refused "--gpu-quota needs --program" run --service ipv4 --gpu-quota 1
refused "rate: does nothing with capture" run --service ipv4,capture=x,rate=1
refused "route-count: does nothing with routes" run --routes x --route-count 1
refused "sets: does nothing with items" run --service memc,items=x,sets=1
refused "tunnels: does nothing with sas" run --service ipsec,sas=x,tunnels=1
refused "--hot-node and --hot-percent need --pattern hotspot" mesh --hot-node 1
refused "--size and --imix: one of them" pktgen --size 64 --imix "$work/p.pcap"
refused "--seed goes with" cputrace --seed 3 "$work/t" -- true
refused "--policy: event.policy: 'foo' is not one of" run --policy foo
refused "--flush: event.options: 99 is out of range" run --flush 99
refused "--set: event.options: 99 is out of range" run --set event.options=99
refused "--only nothing: no job has this in its name" bench --only nothing
refused "--list runs nothing" experiment --list --again
changes_nothing() { # changes_nothing OPTION VALUE: the run is the same, and a line says so
    "$evgpu" run --service ipv4 --packets 32 --route-count 100 --tiles model --launch cpu "$@" >"$work/stdout" 2>"$work/stderr" &&
        grep -qx "evgpu: $1 changes nothing here: no doorbell launches anything" "$work/stderr"
}
check "--policy without events" changes_nothing --policy cheapest
check "--flush without events" changes_nothing --flush 3
check "--sched without events" changes_nothing --sched drain
check "cores that are reserved for none are something" sh -c \
    "$evgpu run --service ipv4 --packets 32 --route-count 100 --tiles model --launch cpu --sched reserve 2>&1 >/dev/null | grep -q nothing; test \$? -eq 1"

# --- twice ----------------------------------------------------------------------------------------
refused "packets is given twice" run --service ipv4,packets=64,packets=32
refused "a setting without a name" run --service ipv4,,packets=32
refused "gpu.cores: given twice" run --set gpu.cores=3 --set gpu.cores=4
refused "event.policy: given twice" run --set event.policy=oldest --policy cheapest
check "a single option: the last one" sh -c "$evgpu run --service ipv4 --route-count 100 --tiles model --packets 64 --packets 32 \
    --json $work/first.json --json $work/last.json | grep -q 'VERIFIED: [0-9]* packets' && test -e $work/last.json -a ! -e $work/first.json"

# --- a comma in a name ----------------------------------------------------------------------------
check "capture with a comma" "$evgpu" pktgen -n 50 "$work/a,b\\c.pcap"
check "... in a setting" sh -c "$evgpu run --route-count 100 --tiles model --service 'ipv4,capture=$work/a\\,b\\\\c.pcap' | grep -q '^VERIFIED'"
check "... as an option" sh -c "$evgpu run --route-count 100 --tiles model --service ipv4 --capture '$work/a,b\\c.pcap' | grep -q '^VERIFIED'"

# --- a kernel's numbers ---------------------------------------------------------------------------
cat >"$work/store.ptx" <<'END'
.version 6.0
.target sm_20
.address_size 64
.visible .entry store(.param .u64 to, .param .s32 value)
{
    .reg .u64 %rd<2>;
    .reg .s32 %r<2>;
    ld.param.u64 %rd1, [to];
    ld.param.s32 %r1, [value];
    st.global.s32 [%rd1], %r1;
    ret;
}
END
stores() { # stores VALUE NUMBER: of four bytes, by the kernel
    "$evgpu" kernel "$work/store.ptx" store --tiles model --arg zero:4 --arg "$1" --out "0=$work/stored" >"$work/table" &&
        [ "$(od -An -t d4 "$work/stored" | tr -d ' ')" = "$2" ]
}
check "the least signed number" stores s32:-2147483648 -2147483648
check "minus one" stores s32:-1 -1
check "the largest one" stores s32:2147483647 2147483647
check "the largest without a sign" stores u32:4294967295 -1
refused "'-2147483649' is not a value of type s32" kernel "$work/store.ptx" store --arg zero:4 --arg s32:-2147483649
refused "'-1' is not a value of type u32" kernel "$work/store.ptx" store --arg zero:4 --arg u32:-1

# --- mistyped -------------------------------------------------------------------------------------
says() { # says TEXT WORD...
    text=$1
    shift
    "$evgpu" "$@" 2>&1 | grep -qF -- "$text"
}
near() { # near NAME WORD...
    name=$1
    shift
    check "$* is near $name" says "did you mean $name?" "$@"
}
refused "there is no command 'qqq'; \`evgpu help\` lists them" qqq
check "... in one line" sh -c "[ \"\$($evgpu qqq 2>&1 | wc -l)\" -eq 1 ]"
near '`config`' confg
near --packets run --packts 3
near --service pktgen --servce ipv4
near '`gpu.cores`' run --set gpu.coers=3
near '`gpu`' config gup
near '`l2.ways`' config l2.wais
near '`ipv4`' run --service ipv44
near '`packets`' run --service ipv4,pakets=3
near '`mcf`' cputrace --describe mfc
near '`H1`' run --config cm-bal.ini --cpus H11
near '`fe-fig10`' experiment fe-fg10
printf '[gpu]\ncoers = 3\n' >"$work/machine.ini"
near '`gpu.cores`' config "$work/machine.ini"

# --- help -----------------------------------------------------------------------------------------
# glibc writes a margin before what it has buffered if the buffer is full: then a text starts at the left edge, and the
# one before it is too far right. Other words move the buffer's end.
aligned() { # COMMAND
    ! "$evgpu" "$1" --help | awk '/^$/ { options = 1 } /^(Mandatory|Exit status)/ { options = 0 } options && /^[^ ]/' | grep .
}

for command in $("$evgpu" --help | awk '/^  [a-z]/ { print $1 }'); do
    check "$command --help" sh -c "$evgpu $command --help | grep -q '^Usage: evgpu $command'"
    check "$command --help in columns" aligned "$command"
done
check "help of a service" sh -c "$evgpu run --service memc,help | grep -q '^entries=N' && $evgpu run --service memc,help | grep -q '^packets=N'"
check "... of it alone" sh -c "! $evgpu run --service memc,help | grep -q '^ipv4:'"
check "... also of pktgen" sh -c "$evgpu pktgen --service ipsec,help | grep -q '^tunnels=N'"
for option in alone profile; do
    check "--no-$option beside --$option" sh -c "$evgpu run --help | grep -q -e '--$option, --no-$option'"
done

# --- parts of a configuration -----------------------------------------------------------------------
check "a section" sh -c "test \"\$($evgpu config dram | grep -vc '^dram[.]')\" -eq 0 && $evgpu config dram | grep -q tRFC"
check "a section of a machine, and a key" sh -c "test \"\$($evgpu config edge.ini l2 gpu.cores | grep -vc '^l2[.]')\" -eq 1"
check "a key" sh -c "test \"\$($evgpu config gpu.cores)\" = 'gpu.cores 1..63: SIMT cores'"
check "a machine without its suffix is none" fails_with 2 "neither a machine's file" "$evgpu" config edge
finish
