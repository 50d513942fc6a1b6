// SPDX-License-Identifier: Apache-2.0
// Properties of axi_frontend, included at its end under FORMAL (docs/design/proofs.md).

    // What a command says stands still from its go to its answer; none is offered otherwise.
    localparam FFirst = 32 * `EVG_AXI_OWNER_INDEX;
    localparam FBits  = 32 * (`EVG_AXI_BLOCK_Z_INDEX - `EVG_AXI_OWNER_INDEX + 1);
    reg             f_live = 1'b0; // there has been a reset
    reg             f_busy;
    reg [FBits-1:0] f_command;
    reg [1:0]       f_op;

    always @(posedge clk_i) begin
        f_live    <= f_live || rst_i;
        f_busy    <= !rst_i && busy;
        f_command <= value[FFirst+:FBits];
        f_op      <= value[`EVG_AXI_COMMAND_OP];
    end

    always @*
        if (f_live) begin
            assert (!offered_q || busy_q);
            assert (!go || !busy_q);
            if (f_busy)
                assert (value[FFirst+:FBits] == f_command && value[`EVG_AXI_COMMAND_OP] == f_op);
            if (rsp_valid)
                assert (busy_q && !offered_q);
        end
