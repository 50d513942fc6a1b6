# From Yosys's `portlist MODULE`: a top with three pins around the module, so that a block with more
# ports than the package has pins can be placed and its clock measured. Inputs come from a shift
# register; outputs, registers already, are folded into a second one. Usage: awk -v module=NAME.
function width(   range) {
    if ($2 !~ /^\[/)
        return 1
    range = substr($2, 2)
    return range + 1
}
$1 == "input" && $NF !~ /^(clk_i|rst_i)$/ {
    w = width()
    connections = connections sprintf(",\n        .%s(in_q[%d +: %d])", $NF, inputs, w)
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
    print "`default_nettype none\nmodule harness (input wire clk_i, input wire rst_i, input wire in_i, output wire out_o);"
    printf "    reg  [%d:0] in_q;\n    wire [%d:0] out;\n    reg  [%d:0] fold_q;\n", inputs, outputs - 1, outputs
    print "    always @(posedge clk_i) begin"
    printf "        in_q   <= {in_q[%d:0], in_i};\n        fold_q <= {fold_q[%d:0], in_i} ^ {1'b0, out};\n    end\n", inputs - 1, outputs - 1
    printf "    assign out_o = fold_q[%d];\n", outputs
    sub(/^,\n */, "", connections)
    printf "    %s block (\n        %s%s\n    );\nendmodule\n`default_nettype wire\n", module, clocked ? ".clk_i(clk_i),\n        " : "", connections
}
