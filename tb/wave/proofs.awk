# Configuration for Verilator, from all files of rtl/: what is there for proofs is in no waveform. To a
# part with an include belongs the line behind, where Verilator sees the end of the included file.
BEGIN {
    print "`verilator_config"
    print "tracing_off -file \"*.fv.vh\""
}
FNR == 1 { depth = from = 0 }
/^ *`if/ {
    depth++
    if (!from && $1 == "`ifdef" && $2 ~ /^FORMAL/) {
        from = FNR
        at = depth
        more = 0
    }
}
/^ *`include/ { more = 1 }
/^ *`e(nd|ls)/ && from && depth == at {
    printf "tracing_off -file \"%s\" -lines %d-%d\n", FILENAME, from, FNR + more
    from = 0
}
/^ *`endif/ { depth-- }
