// SPDX-License-Identifier: Apache-2.0
// For fe_idle.sh: each register gets a check that its next value is its present one; what is meant by
// idle is connected afterwards.
(* techmap_celltype = "$dff" *)
module still (CLK, D, Q);
    parameter WIDTH = 1;
    parameter CLK_POLARITY = 1;
    input CLK;
    input [WIDTH-1:0] D;
    output [WIDTH-1:0] Q;
    \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY)) _TECHMAP_REPLACE_ (.CLK(CLK), .D(D), .Q(Q));
    still_check check (.SAME(D == Q), .IDLE(1'b0));
endmodule
