# Properties say what a block does at its ports: an expectation that reads a register of the design is true
# of whatever that register does. What stands before the line "// --- invariants" of a properties file reads
# ports, parameters and names that it declares there itself; behind that line stand what inductions need,
# and may read all.
. tests/e2e/lib.sh.inc

# Files whose expectations read state, each with the reason.
cat >"$work/exceptions" <<'LIST'
axi_frontend: what a command's registers hold has no port; its driver sees it through the bus only
block_threads: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
cm_bal_core: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
cm_controller: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
cm_monitor_link: two clocks: what one side has taken is no port of the other
cm_next_core: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
completion_window: joins the properties of its blocks, which are named there
doorbell_decoder: joins the properties of its blocks, which are named there
event_completion: joins the properties of its blocks, which are named there
event_dispatch: joins the properties of its blocks, which are named there
event_kernel_table: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
fe_bit_ram: its formal ports show the content, which its user's proof follows
fe_choice: its formal ports show the content, which its user's proof follows
fe_dram_scheduler: joins the properties of its blocks, which are named there
fe_head: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
fe_in_order: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
fe_look_ahead: its formal ports show the content, which its user's proof follows
fe_queue: its formal ports show the content, which its user's proof follows
fe_range: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
fe_reply_order: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
gpu_frontend: joins the properties of its blocks, which are named there
launch_order: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
mem_stall_monitor: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
pending_event_warp_table: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
pending_order: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
ready_select: an expectation names wires that only gather ports
simt_core: an example; what its contexts are used for has no port
sm_event_unit: joins the properties of its blocks, which are named there
victim_flush: an expectation names wires that only gather ports
victim_select: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
warp_give_back: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
warp_take_ctrl: behaviour and invariants stand together; lockstep with a model written from the contract checks the ports
LIST

cat >"$work/check.awk" <<'AWK'
function names(text,   n, list, i) { # of TEXT, into found[]
    delete found
    gsub(/"[^"]*"/, " ", text)
    gsub(/`[A-Za-z_0-9]+/, " ", text)
    gsub(/'[sS]?[bodhBODH][0-9a-fA-FxzXZ_?]+/, " ", text)
    n = split(text, list, /[^A-Za-z_0-9$.\\]+/)
    for (i = 1; i <= n; i++)
        if (list[i] ~ /^[A-Za-z_\\]/)
            found[list[i]]
}
{
    sub(/\/\/.*/, "")
}
FNR == 1 { file++ }
file == 1 { # the module
    if ($1 ~ /^(input|output)$/ || $1 == "parameter" || $1 == "localparam") {
        text = $0
        sub(/=.*/, "", text)
        if ($1 == "localparam" || $1 == "parameter") { # several on a line
            text = $0
            gsub(/= *[^,;]*/, "", text)
        }
        names(text)
        for (name in found)
            if (name !~ /^f_.*_o$/)
                allowed[name]
    }
    next
}
{ line[FNR] = $0 }
/^ *`define/ || /^`include/ || /^`(if|el|end|un)/ { line[FNR] = ""; next }
{
    if ($0 ~ /`EVG_FOLLOW_(ONE|SOME)/) {
        name = $0
        sub(/.*`EVG_FOLLOW_[A-Z]*\(/, "", name)
        sub(/[,)].*/, "", name)
        allowed[name]
    }
    text = $0
    if (sub(/^ *(\(\*[^*]*\*\) *)?(reg|wire|integer|genvar|localparam|function|input)/, "", text)) {
        gsub(/= *[^,;]*/, "", text)
        names(text)
        for (name in found)
            if (name ~ /^f_/ || $1 == "localparam")
                allowed[name]
    }
    text = $0
    if (sub(/.*begin *: */, "", text)) { # a block's label
        sub(/ .*/, "", text)
        allowed[text]
    }
    if (/assert *\(/)
        asserts++
}
END {
    split("begin end if else case endcase default for always posedge initial assign assert assume cover " \
          "reg wire integer genvar generate endgenerate localparam function endfunction anyconst anyseq signed input", words, " ")
    for (i in words)
        allowed[words[i]]
    for (n = 1; n <= FNR; n++) {
        names(line[n])
        for (name in found)
            if (!(name in allowed) && name !~ /^[$]/) {
                print "line " n ": " name
                bad = 1
            }
    }
    if (!asserts) {
        print "no assertion"
        bad = 1
    }
    exit bad
}
AWK

ports_only() { # MODULE_FILE PROPERTIES
    awk '/^ *\/\/ --- invariants/ { exit } { print }' "$2" >"$work/expectations"
    awk -f "$work/check.awk" "$1" "$work/expectations"
}

all_files() {
    wrong=0
    for properties in rtl/*/properties/*.fv.vh; do
        name=$(basename "$properties" .fv.vh)
        [ "$name" != follow ] || continue
        module=$(echo rtl/*/"$name".v)
        if grep -q "^$name: ." "$work/exceptions"; then
            ! ports_only "$module" "$properties" >/dev/null || { echo "$name reads ports only: no exception"; wrong=1; }
        else
            ports_only "$module" "$properties" >"$work/read" || { sed "s,^,$properties: ," "$work/read"; wrong=1; }
        fi
    done
    return "$wrong"
}

# A file whose expectations read a register is found.
caught() {
    sed 's/^\( *\)assert (count_o == f_count/\1assert (count_q == f_count/' rtl/common/properties/sync_fifo.fv.vh >"$work/reads.fv.vh"
    ! cmp -s rtl/common/properties/sync_fifo.fv.vh "$work/reads.fv.vh" &&
        ! ports_only rtl/common/sync_fifo.v "$work/reads.fv.vh" >"$work/read" && grep -q 'count_q$' "$work/read"
}

check "expectations read ports and what they declare" all_files
check "one that reads a register is found" caught
finish
