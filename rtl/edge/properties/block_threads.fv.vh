// SPDX-License-Identifier: Apache-2.0
// Properties of block_threads, included at its end under FORMAL (docs/design/proofs.md).

    // The factors as they were taken, and how far the product is
    reg               f_started = 1'b0;
    reg [DimBits-1:0] f_x, f_y;
    reg [5:0]         f_steps;
    wire [31:0]       f_xy  = {{32 - DimBits{1'b0}}, f_x} * {{32 - DimBits{1'b0}}, f_y};
    wire [47:0]       f_xyz = {16'd0, f_xy} * {{48 - DimBits{1'b0}}, z_i};
    wire              f_small = {{32 - DimBits{1'b0}}, f_x} <= Limit &&
                                {{32 - DimBits{1'b0}}, f_y} <= Limit &&
                                {{32 - DimBits{1'b0}}, z_i} <= Limit;
    localparam        Steps = 2 * DimBits;
    localparam [5:0]  All   = Steps[5:0];

    always @(posedge clk_i)
        if (start_i) begin
            f_started <= 1'b1;
            f_x       <= x_i;
            f_y       <= y_i;
            f_steps   <= 6'd0;
        end else if (f_started && run_i && f_steps <= All)
            f_steps <= f_steps + 6'd1;

    always @*
        if (f_started && f_steps <= All)
            assert ({26'd0, f_steps} ==
                    (f_steps == All ? 2 * DimBits : second_q ? 2 * DimBits - 1 - {28'd0, left_q}
                                                             : DimBits - 1 - {28'd0, left_q}));
    // The product itself is proved from its start on, for factors of a few bits, and in every simulation.
`ifdef YOSYS
`ifdef FORMAL_TOP_block_threads
`define EVG_PRODUCT
`endif
`else
`define EVG_PRODUCT
`endif
`ifdef EVG_PRODUCT
    always @*
        if (f_started && f_steps == All && f_small)
            assert (f_xyz <= {16'd0, Limit} && f_xy <= Limit
                        ? !too_many_o && {{47 - DimBits{1'b0}}, threads_o} == f_xyz
                        : too_many_o);
`undef EVG_PRODUCT
`endif

    // The neighbour holds the third factor.
    reg [DimBits-1:0] f_z;
    always @(posedge clk_i)
        f_z <= z_i;
`ifdef FORMAL_TOP_block_threads
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    always @*
        if (f_started && f_steps != 6'd0)
            `EVG_REQUIRE (z_i == f_z);
`undef EVG_REQUIRE

`ifdef FORMAL_TOP_block_threads
    always @* begin
        cover (f_started && f_steps == All && f_small && !too_many_o && threads_o == Limit[DimBits:0]);
        cover (f_started && f_steps == All && f_small && too_many_o && f_xy <= Limit);
    end
`endif
