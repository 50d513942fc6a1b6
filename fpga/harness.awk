# From Yosys's `portlist MODULE`: a top with three pins around the module, so that a block with more
# ports than the package has pins can be placed and its clock measured. Inputs come from a shift
# register, several from one of its flip-flops where there are many; outputs, registers already, are
# folded by threes into a second one. The module is to be synthesised for itself, so that it knows
# nothing of this. Usage: awk -v module=NAME.
function width(   range) {
    if ($2 !~ /^\[/)
        return 1
    range = substr($2, 2)
    return range + 1
}
$1 == "input" && $NF !~ /^(clk_i|rst_i)$/ {
    w = width()
    connections = connections sprintf(",\n        .%s(in[%d +: %d])", $NF, inputs, w)
    inputs += w
}
$1 == "input" && $NF == "clk_i" { clocked = 1 }
$1 == "input" && $NF == "rst_i" { connections = connections ",\n        .rst_i(rst_i)" }
$1 == "output" {
    w = width()
    connections = connections sprintf(",\n        .%s(out[%d +: %d])", $NF, outputs, w)
    outputs += w
}
END {
    if (!inputs || !outputs)
        exit 1
    sources = inputs < 256 ? inputs + 1 : 256
    folds = int((outputs + 2) / 3)
    print "`default_nettype none\nmodule harness (input wire clk_i, input wire rst_i, input wire in_i, output wire out_o);"
    copies = int((inputs + sources - 1) / sources)
    printf "    reg  [%d:0] in_q;\n    wire [%d:0] in = {%d{in_q}};\n", sources - 1, copies * sources - 1, copies
    printf "    wire [%d:0] out;\n    reg  [%d:0] fold_q;\n    integer i;\n", 3 * folds - 1, folds
    if (3 * folds > outputs)
        printf "    assign out[%d:%d] = 0;\n", 3 * folds - 1, outputs
    print "    always @(posedge clk_i) begin"
    printf "        in_q <= {in_q[%d:0], in_i};\n        fold_q[0] <= in_i;\n", sources - 2
    printf "        for (i = 0; i < %d; i = i + 1)\n            fold_q[i + 1] <= fold_q[i] ^ out[3 * i] ^ out[3 * i + 1] ^ out[3 * i + 2];\n", folds
    printf "    end\n    assign out_o = fold_q[%d];\n", folds
    sub(/^,\n */, "", connections)
    printf "    %s block (\n        %s%s\n    );\nendmodule\n`default_nettype wire\n", module, clocked ? ".clk_i(clk_i),\n        " : "", connections
}
