# Bad input: status 2, one line that names file and line or field, nothing left behind.
. tests/e2e/lib.sh.inc

"$evgpu" pktgen --count 64 "$work/good.pcap" >/dev/null
ptx=sw/apps/matrixMul/matmul.ptx
small="--route-count 1000 --background 0"

head -c 300 "$work/good.pcap" >"$work/cut.pcap"
head -c 24 "$work/good.pcap" >"$work/empty.pcap"
: >"$work/zero.pcap"
echo "this is no capture, but a text" >"$work/text.pcap"
check "truncated capture" fails_with 2 "cut.pcap" "$evgpu" run $small --capture "$work/cut.pcap"
check "empty capture" fails_with 2 "empty.pcap" "$evgpu" run $small --capture "$work/empty.pcap"
check "file of no bytes" fails_with 2 "zero.pcap" "$evgpu" run $small --capture "$work/zero.pcap"
check "not a capture" fails_with 2 "text.pcap" "$evgpu" run $small --capture "$work/text.pcap"
check "no such capture" fails_with 2 "none.pcap" "$evgpu" run $small --capture "$work/none.pcap"

PYTHONPATH=tests/e2e/services python3 - "$work/good.pcap" "$work/years.pcap" <<'END'
import sys, pcap
with open(sys.argv[2], 'wb') as out:
    pcap.begin(out)
    for second, frame in zip((0, 1, 1600000000), pcap.frames(sys.argv[1])):
        pcap.add(out, second, 0, frame)
END
check "decades between time stamps" fails_with 2 "years.pcap: the time stamp of packet 3 is 1600000000 s after the first one" \
    "$evgpu" run $small --capture "$work/years.pcap"
check "... do not matter at another pace" "$evgpu" run $small --tiles model --capture "$work/years.pcap" --pace pps:1000000

check "frames longer than their slots" fails_with 2 "ipsec: frame=60: the longest frame has 306 bytes; set that or more" \
    "$evgpu" run --background 0 --service ipsec,packets=4,frame=60

printf '10.0.0.0/8\n10.0.0.0/99\n' >"$work/routes"
check "bad route" fails_with 2 "routes:2" "$evgpu" run --routes "$work/routes" --background 0

cp config/base.ini "$work/base.ini"
sed 's/^cores = .*/cores = 0/' config/edge.ini >"$work/zero.ini"
line=$(grep -n '^cores' config/edge.ini | cut -d: -f1)
check "zero cores" fails_with 2 "zero.ini:$line" "$evgpu" run -c "$work/zero.ini"
sed 's/^warps = /wraps = /' config/edge.ini >"$work/unknown.ini"
line=$(grep -n '^warps' config/edge.ini | cut -d: -f1)
check "unknown key" fails_with 2 "unknown.ini:$line" "$evgpu" run -c "$work/unknown.ini"
grep -v '^cores' config/edge.ini >"$work/missing.ini"
check "missing key" fails_with 2 "missing.ini: [gpu] cores is missing" "$evgpu" run -c "$work/missing.ini"
line=$(grep -n '^include' config/edge.ini | cut -d: -f1)
sed 's/^include = .*/include = none.ini/' config/edge.ini >"$work/lost.ini"
check "included file that is not there" fails_with 2 "lost.ini:$line: include = none.ini: No such file" "$evgpu" run -c "$work/lost.ini"
sed 's/^include = .*/include = circle.ini/' config/edge.ini >"$work/circle.ini"
check "file that includes itself" fails_with 2 "circle.ini:$line: include = circle.ini: the file includes itself" \
    "$evgpu" config "$work/circle.ini"
sed 's/^include = .*/include =/' config/edge.ini >"$work/nameless.ini"
check "an include without a name" fails_with 2 "nameless.ini:$line: include: the file's name is empty" "$evgpu" config "$work/nameless.ini"
check "a machine without a name" fails_with 2 "the name of the machine's file is empty" "$evgpu" run --config ""
sed 's/^\[gpu\]/[gpu/' config/edge.ini >"$work/open.ini"
check "a section that does not end" fails_with 2 "open.ini:$(grep -n '^.gpu$' "$work/open.ini" | cut -d: -f1): neither" "$evgpu" config "$work/open.ini"
check "a machine without an end" fails_with 2 "/dev/zero:1: neither" limited "$evgpu" config /dev/zero
mkfifo "$work/endless" "$work/once"
yes '; no key' 2>/dev/null >"$work/endless" &
check "a pipe without an end for a machine" fails_with 2 "endless: no regular file, and has 16 MiB or more" limited "$evgpu" config "$work/endless"
printf 'include = %s/config/edge.ini\n' "$PWD" >"$work/once" &
check "a named pipe for a machine is read once" limited "$evgpu" run $small --packets 32 --tiles model -c "$work/once"
sed 's/^include = .*/&\n&/' config/edge.ini >"$work/twice.ini"
check "two included files" fails_with 2 "twice.ini:$((line + 1)): include: given twice" "$evgpu" config "$work/twice.ini"
echo 'k = 1' >>"$work/base.ini"
check "error in the included file" fails_with 2 "base.ini:$(wc -l <"$work/base.ini"): [nic] k: no such key" \
    "$evgpu" run -c "$work/missing.ini"
check "unknown override" fails_with 2 "gpu.coers" "$evgpu" run --set gpu.coers=3
check "override out of range" fails_with 2 "gpu.cores" "$evgpu" run --set gpu.cores=1000
check "unknown policy" fails_with 2 "dram.scheduler: 'elevator' is not one of fr-fcfs|fr-fcfs-cap|fcfs" \
    "$evgpu" run --set dram.scheduler=elevator
check "a cap of no row hits" fails_with 2 "dram hit_cap = 0: must be 1 or more with scheduler fr-fcfs-cap" \
    "$evgpu" run --set dram.hit_cap=0
check "no time between refreshes" fails_with 2 "dram tREFI = 1: leaves no time between refreshes" \
    "$evgpu" run --set dram.tREFI=1
check "refreshes too seldom" fails_with 2 "dram.tREFI: 1000001 is out of range, must be 0 to 1000000" \
    "$evgpu" run --set dram.tREFI=1000001
check "no header" fails_with 2 "pcie.header_bytes: 0 is out of range, must be 1 to 64" "$evgpu" run --set pcie.header_bytes=0
check "odd payload" fails_with 2 "pcie payload_bytes = 65: must be a power of two" "$evgpu" run --set pcie.payload_bytes=65
slow="--set gpu.core_clock_khz=1000 --tiles model $small --packets 1"
check "latency below a cycle" fails_with 2 "pcie latency_ns = 499: is no core cycle with gpu core_clock_khz = 1000, must be at least 500" \
    "$evgpu" run $slow --set pcie.latency_ns=499
check "latency of a cycle" "$evgpu" run $slow --set pcie.latency_ns=500
check "no such configuration" fails_with 2 "none.ini" "$evgpu" run -c none.ini
check "a folder for a configuration" fails_with 2 "$work: cannot be read: Is a directory" "$evgpu" config "$work"
echo "include = $work" >"$work/includes.ini"
check "a folder to include" fails_with 2 "cannot be read: Is a directory" "$evgpu" config "$work/includes.ini"
check "a folder for PTX" fails_with 2 "$work: cannot be read: Is a directory" "$evgpu" kernel "$work" matmul
check "a folder for a buffer" fails_with 2 "$work: cannot be read: Is a directory" \
    "$evgpu" kernel $ptx matmul --arg "buf:$work" --arg zero:4 --arg zero:4 --arg u32:1
printf 'include = %s/config/edge.ini\n[gpu]\ncores = 1\0006\n' "$PWD" >"$work/nul.ini"
check "a NUL in a number" fails_with 2 "nul.ini:3: gpu.cores: '1?6' is not a whole number" \
    "$evgpu" config "$work/nul.ini"
mkdir "$work/folder.ini"
check "a folder for an experiment" fails_with 2 "cannot be read: Is a directory" "$evgpu" experiment "$work/folder.ini"

: >"$work/nothing.bin"
check "a buffer of an empty file" fails_with 2 "--arg buf:$work/nothing.bin: the file is empty" \
    "$evgpu" kernel $ptx matmul --arg "buf:$work/nothing.bin" --arg zero:4 --arg zero:4 --arg u32:1
check "a buffer of no bytes" fails_with 2 "--arg zero: must be 1 or more" \
    "$evgpu" kernel $ptx matmul --arg zero:0 --arg zero:4 --arg zero:4 --arg u32:1
sed '20,$d' $ptx >"$work/cut.ptx"
check "truncated PTX" fails_with 2 "cut.ptx:" "$evgpu" kernel "$work/cut.ptx" matmul
sed 's/fma\.rn\.f32/fma.xx.f32/' $ptx >"$work/bad.ptx"
line=$(grep -n 'fma.xx.f32' "$work/bad.ptx" | head -1 | cut -d: -f1)
check "unsupported instruction" fails_with 2 "bad.ptx:$line" "$evgpu" kernel "$work/bad.ptx" matmul
check "PTX without an end" fails_with 2 "/dev/zero: no regular file, and has 256 MiB or more" "$evgpu" kernel /dev/zero matmul
check "no such kernel" fails_with 2 "matmull; there is matmul" "$evgpu" kernel $ptx matmull
{
    printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry deep(.param .u64 a)\n{\n'
    printf '.local .align 4 .b8 frame[102400];\n.reg .b64 %%a;\nmov.u64 %%a, frame;\n'
    printf 'st.local.u32 [%%a+8], 1;\nret;\n}\n'
} >"$work/deep.ptx"
check "more local memory than there is" fails_with 2 "102400 bytes of local memory per thread" \
    "$evgpu" kernel "$work/deep.ptx" deep --arg zero:16
check "block larger than a core" fails_with 2 "block" "$evgpu" kernel $ptx matmul --block 4096 \
    --arg zero:4 --arg zero:4 --arg zero:4 --arg u32:1
check "more registers than a core" fails_with 2 "registers" "$evgpu" kernel $ptx matmul \
    --set core.registers=1024 --block 1024 --arg zero:4 --arg zero:4 --arg zero:4 --arg u32:1
{
    cat $ptx
    printf '%s\n' '.entry odd()' '{' 'frob.u32 {a, b}, c;' 'ret;' '}'
} >"$work/odd.ptx"
line=$(grep -n 'frob' "$work/odd.ptx" | cut -d: -f1)
check "an unused kernel that cannot run" "$evgpu" kernel "$work/odd.ptx" matmul --tiles model \
    --block 16,16 --arg zero:1024 --arg zero:1024 --arg zero:1024 --arg u32:16
check "launching it" fails_with 2 "odd.ptx:$line: unsupported instruction ('frob' is not known): frob" \
    "$evgpu" kernel "$work/odd.ptx" odd
# The command away from its build directory finds no kernels but those it is given.
mkdir -p "$work/bare/apps"
cp "$evgpu" "$work/bare/evgpu"
cp "$build/apps/vectorAdd" "$work/bare/apps/vectorAdd"
config=$PWD/config/gtx480.ini
libraries=$(cd "$build/lib" && pwd)
check "a service that is not built" fails_with 2 "sw/services/memc/memc_get.ptx is not built; run \`make kernels\`" \
    sh -c "cd $work/bare && ./evgpu run --config $config --service memc,packets=10"
check "an application that is not built" fails_with 2 "sw/apps/vectorAdd/vector_add.ptx is not built; run \`make kernels\`" \
    env EVGPU_FLAGS="--config $config" LD_LIBRARY_PATH="$libraries" sh -c "cd $work/bare && apps/vectorAdd"
check "cu2ptx without clang" fails_with 2 "none is not installed (Debian package clang-14)" \
    env CLANG=none sw/cu2ptx.sh sw/apps/bfs/bfs.cu "$work/bfs.ptx"
cat >"$work/symbols.ptx" <<'PTX'
.version 6.0
.target sm_35
.address_size 64
.const .align 4 .u32 factor[2];
.global .align 4 .u32 state = 5;
.entry scale(.param .u64 out)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    ld.const.u32 %r1, [factor+4];
    ld.global.u32 %r2, [state];
    mul.lo.u32 %r3, %r1, %r2;
    st.global.u32 [%rd1], %r3;
    st.global.u32 [state], %r1;
    ret;
}
PTX
printf '\001\000\000\000\007\000\000\000' >"$work/factor.bin"
symbols="kernel $work/symbols.ptx scale --tiles model --arg zero:4"
check "variables set and written back" sh -c "$evgpu $symbols --symbol factor=$work/factor.bin \
    --out 0=$work/product.bin --out state=$work/state.bin &&
    [ \$(od -An -tu4 $work/product.bin) = 35 ] && [ \$(od -An -tu4 $work/state.bin) = 7 ]"
check "no such variable" fails_with 2 "no variable named fact; there are factor, state" \
    "$evgpu" $symbols --symbol fact="$work/factor.bin"
check "file larger than the variable" fails_with 2 "has 8 bytes, the variable has 4" \
    "$evgpu" $symbols --symbol state="$work/factor.bin"
check "no file for the variable" fails_with 2 "none.bin" "$evgpu" $symbols --symbol state=none.bin
printf '%s\n' .version\ 6.0 .target\ sm_35 .address_size\ 64 \
    '.visible .entry spin(.param .u64 p)' '{' 'L:' 'bra L;' '}' >"$work/spin.ptx"
check "cycle limit tells where warps are" fails_with 1 "spin, pc 0, PTX line 7" "$evgpu" kernel \
    "$work/spin.ptx" spin --arg zero:4 --max-cycles 5000
printf '%s\n' .version\ 6.0 .target\ sm_35 .address_size\ 64 '.visible .entry far(.param .u64 p)' \
    '{' '.reg .b32 %r;' 'ld.param.u32 %r, [p+6];' 'ret;' '}' >"$work/far.ptx"
check "a load behind the parameters" fails_with 1 \
    "PTX line 7: load of 4 bytes at parameter offset 0x6 is misaligned; the kernel's parameter memory has 8 bytes" \
    "$evgpu" kernel "$work/far.ptx" far --arg zero:4
check "too few arguments" fails_with 2 "takes 4 arguments" "$evgpu" kernel $ptx matmul --arg zero:4
check "too many arguments" fails_with 2 "takes 4 arguments" "$evgpu" kernel $ptx matmul \
    --arg zero:4 --arg zero:4 --arg zero:4 --arg u32:1 --arg u32:1
check "surplus word" sh -c "! $evgpu kernel $ptx matmul surplus --arg zero:4 --arg zero:4 \
    --arg zero:4 --arg u32:1"
check "argument of another size" fails_with 2 "argument 3" "$evgpu" kernel $ptx matmul \
    --arg zero:4 --arg zero:4 --arg zero:4 --arg u64:1
check "argument out of range" fails_with 2 "argument 3" "$evgpu" kernel $ptx matmul \
    --arg zero:4 --arg zero:4 --arg zero:4 --arg u32:-1
for value in u32:" 1" u32:+1 u32:1x s32:2147483648 s32:-2147483649 u64:18446744073709551616 u64:" -1" f32:1e39 f64:" 1"; do
    check "argument $value" fails_with 2 "argument 3: '${value#*:}' is not a value of type ${value%:*}" \
        "$evgpu" kernel $ptx matmul --arg zero:4 --arg zero:4 --arg zero:4 --arg "$value"
done
echo '.version 7.0 .target sm_70 .address_size 64 .entry keep(.param .u64 to, .param .s32 n, .param .f32 f) {
    .reg .b64 %a; .reg .b32 %n, %f; ld.param.u64 %a, [to]; ld.param.s32 %n, [n]; ld.param.f32 %f, [f];
    st.global.v2.b32 [%a], {%n, %f}; ret; }' >"$work/keep.ptx"
taken() { # taken N F WORDS: what arrives
    "$evgpu" kernel "$work/keep.ptx" keep --tiles model --arg zero:8 --arg "$1" --arg "$2" --out "0=$work/kept" >"$work/report" &&
        [ "$(od -An -tx4 "$work/kept")" = " $3" ]
}
check "an argument with a leading 0 is decimal" taken s32:-010 f32:inf "fffffff6 7f800000"
check "the least argument" taken s32:-2147483648 f32:1e-46 "80000000 00000000"
check "output of a scalar" fails_with 2 "argument 3 is not a buffer" "$evgpu" kernel $ptx matmul \
    --arg zero:4 --arg zero:4 --arg zero:4 --arg u32:1 --out 3="$work/out.bin"
check "access outside memory names kernel and line" fails_with 1 "kernel matmul" "$evgpu" kernel \
    $ptx matmul --grid 4,4 --block 16,16 --arg u64:0 --arg zero:64 --arg zero:64 --arg u32:64
check "no output of a failed run" test ! -e "$work/out.bin"
check "unknown command" "$evgpu" help
check "unknown option" sh -c "! $evgpu run --nonsense"
check "statistics to a directory that is not there" fails_with 2 "none/run.json" "$evgpu" run \
    $small --packets 64 --json "$work/none/run.json"
check "waveforms to a directory that is not there" fails_with 2 "none/x.fst" "$evgpu" run \
    $small --packets 64 --trace "$work/none/x.fst"
check "packets to a directory" fails_with 2 "is a directory" "$evgpu" run $small --packets 64 --out "$work"
check "a kernel's buffer to a directory that is not there" fails_with 2 "none/y.bin" "$evgpu" kernel \
    "$work/spin.ptx" spin --arg zero:4 --out "0=$work/none/y.bin"
check "no products" fails_with 2 "--products: must be 1 or more" "$evgpu" run --products 0
interrupted() { # interrupted SIGNAL: what was written so far goes
    mkdir -p "$work/interrupted"
    "$evgpu" pktgen --count 100000000 "$work/interrupted/big.pcap" >/dev/null 2>&1 &
    pid=$!
    until_true eval '[ -n "$(ls -A "$work/interrupted")" ]'
    kill "-$1" $pid
    await $pid
    [ $? -gt 128 ] && [ -z "$(ls -A "$work/interrupted")" ] || { ls -A "$work/interrupted"; false; }
}
check "SIGTERM leaves nothing of a file" interrupted TERM
check "neither does SIGHUP" interrupted HUP
check "no such service" fails_with 2 "there are ipv4" "$evgpu" run --service ipv5
check "no such setting" fails_with 2 "no setting packet;" "$evgpu" run --service ipv4,packet=3
check "more packets than a warp has lanes" fails_with 2 "at most 32 packets" "$evgpu" run \
    --service ipv4,batch=33
check "a setting without its number" fails_with 2 "packets: needs a number" "$evgpu" run \
    --service ipv4,packets
check "nothing to reserve" fails_with 2 "8 of 2 cores leaves none for other kernels" "$evgpu" run \
    $small --packets 64 --set gpu.cores=2 --sched reserve
check "one core needs no reserved one" "$evgpu" run $small --packets 64 --set gpu.cores=1 \
    --set event.reserved_cores=0 --sched reserve
check "statistics to a device" "$evgpu" run $small --packets 64 --json /dev/null
check "... which stays one" test -c /dev/null
check "trace of model tiles" fails_with 2 "--trace" "$evgpu" run $small --packets 64 --tiles model \
    --trace "$work/x.fst"
check "cycle limit ends with a message" sh -c "$evgpu run $small --packets 640 --max-cycles 5000 \
    | grep -q 'NOT VERIFIED: cycle limit of 5000'"
finish
