# Proves by induction that fe_dram_scheduler stands still: after a cycle that was quiet and without
# request, answer and register access (what idle_o of mem_frontend reports), and in one without them,
# every register's next value is its present one, whatever the other inputs. Registers of the FORMAL
# sections (f_...) are left out; their assertions are proved along, and help. Parameters as in
# fe_dram_scheduler.task. Usage: fe_idle.sh BUILD.
here=tests/formal
gen=${1:-build}/gen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=fe_dram_scheduler
parameters=$(sed -n 's/^set: */-chparam /p' $here/fe/$top.task | tr '\n' ' ')
echo '(* blackbox *) module still_check (input SAME, input IDLE); endmodule' >"$work/check.v"
design="read_verilog -formal -defer -D FORMAL_TOP_$top -D FORMAL_CONTENT -I$gen -Irtl/common $(echo rtl/fe/*.v) rtl/common/saturating_counter.v
    hierarchy -check -top $top $parameters
    proc; flatten; opt -full; memory -nomap; opt; setundef -undriven -anyseq; chformal -cover -remove
    memory_map; opt -full; dffunmap; read_verilog -icells -lib $work/check.v
    techmap -max_iter 1 -map $here/still.v t:\$dff w:*f_* %ci1:+[Q] %d; cd $top"
yosys -q -p "$design; tee -o $work/cells select -list t:still_check" >/dev/null || exit 1
{
    echo "$design" | tr ';' '\n'
    sed 's,^[^/]*/\(.*\)$,connect -port \1 IDLE \\f_idle,' "$work/cells"
    printf 'cd ..\ndelete =still_check\ntechmap -map %s/still_check.v\nopt_clean\ndffunmap\n' $here
    echo "write_smt2 -wires $work/m.smt2"
} >"$work/proof.ys"
yosys -q -s "$work/proof.ys" || exit 1
failures=0
check() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"
        tail -n 5 "$work/log"
        failures=1
    fi
}
prove() {
    timeout 3600 yosys-smtbmc -s z3 --unroll --noprogress -t 2 "$@" "$work/m.smt2"
}
# mem_frontend is idle only after a cycle in which its scheduler was quiet and no input woke anything.
idle_is_quiet() {
    proofs="-prove scheduler_quiet 1 -prove stall 0"
    for input in req_valid_i answer_valid_i reg_valid_i stall_read_i; do
        proofs="$proofs -prove $input 0"
    done
    yosys -q -p "read_verilog -defer -I$gen $(echo rtl/fe/*.v rtl/cm/*.v) rtl/common/saturating_counter.v
        read_verilog -defer -I$gen rtl/tiles/mem_frontend.v; prep -top mem_frontend; cd mem_frontend
        dffunmap; expose -evert-dff; cd ..
        sat -verify -ignore_unknown_cells -set rst_i 0 -set idle_o.d 1 $proofs mem_frontend"
}

check "an idle mem_frontend is quiet" idle_is_quiet
check "registers found" test "$(wc -l <"$work/cells")" -gt 100
check "idle scheduler, from reset" prove
check "idle scheduler, by induction" prove -i
exit $failures
