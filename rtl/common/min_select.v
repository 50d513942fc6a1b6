// min_select: index of the smallest key among the valid lanes.
//
// Contract
// - Combinational, a tree of log2(Lanes) levels of one comparator each. Register its inputs or its
//   outputs at the user.
// - Keys are unsigned. On equal keys the lane with the lowest index wins.
// - Without a valid lane any_o is 0. While any_o or enable_i is 0, index_o and key_o are 0, so that
//   an idle scan does not toggle what follows it (and costs a simulation nothing).
// - No illegal input.
`default_nettype none

module min_select #(
    parameter Lanes      = 8, // power of two, at least 2
    parameter KeyWidth   = 8, // bits of a key, at least 1
    parameter IndexWidth = 3  // log2(Lanes)
) (
    input  wire                      enable_i,
    input  wire [Lanes-1:0]          valid_i,
    input  wire [Lanes*KeyWidth-1:0] keys_i,   // lane 0 in the lowest bits
    output reg                       any_o,
    output reg  [IndexWidth-1:0]     index_o,
    output reg  [KeyWidth-1:0]       key_o
);

    generate
        if (Lanes < 2 || (1 << IndexWidth) != Lanes || KeyWidth < 1) begin : g_check
            min_select_needs_lanes_a_power_of_two_and_index_width_its_log2 check_parameters ();
        end
    endgenerate

    // One level of the tree per pass; the winner of each subtree sits at its lowest lane.
    reg [Lanes-1:0]            valid;
    reg [Lanes*KeyWidth-1:0]   keys;
    reg [Lanes*IndexWidth-1:0] indices;
    integer                    stride;
    integer                    lane;

    always @* begin
        any_o   = 1'b0;
        index_o = {IndexWidth{1'b0}};
        key_o   = {KeyWidth{1'b0}};
        valid   = valid_i;
        keys    = keys_i;
        indices = {Lanes * IndexWidth{1'b0}};
        lane    = 0;
        stride  = 1;
        if (enable_i) begin
            for (lane = 0; lane < Lanes; lane = lane + 1)
                indices[lane*IndexWidth+:IndexWidth] = lane[IndexWidth-1:0];
            for (stride = 1; stride < Lanes; stride = stride * 2)
                for (lane = 0; lane < Lanes; lane = lane + 2 * stride)
                    if (valid[lane+stride] &&
                        (!valid[lane] || keys[(lane+stride)*KeyWidth+:KeyWidth] <
                                         keys[lane*KeyWidth+:KeyWidth])) begin
                        valid[lane] = 1'b1;
                        keys[lane*KeyWidth+:KeyWidth] = keys[(lane+stride)*KeyWidth+:KeyWidth];
                        indices[lane*IndexWidth+:IndexWidth] =
                            indices[(lane+stride)*IndexWidth+:IndexWidth];
                    end
            if (valid[0]) begin
                any_o   = 1'b1;
                index_o = indices[IndexWidth-1:0];
                key_o   = keys[KeyWidth-1:0];
            end
        end
    end

`ifdef FORMAL
    integer f_lane;

    always @* begin
        f_lane = 0;
        if (!enable_i || valid_i == {Lanes{1'b0}}) begin
            assert (!any_o && index_o == 0 && key_o == 0);
        end else begin
            assert (any_o && valid_i[index_o] && key_o == keys_i[index_o*KeyWidth+:KeyWidth]);
            for (f_lane = 0; f_lane < Lanes; f_lane = f_lane + 1)
                if (valid_i[f_lane])
                    assert (key_o < keys_i[f_lane*KeyWidth+:KeyWidth] ||
                            (key_o == keys_i[f_lane*KeyWidth+:KeyWidth] &&
                             index_o <= f_lane[IndexWidth-1:0]));
        end
        cover (any_o && index_o == {IndexWidth{1'b1}} && valid_i[0]);
        cover (any_o && index_o == 0 && valid_i[Lanes-1] && key_o == keys_i[Lanes*KeyWidth-1-:KeyWidth]);
        cover (enable_i && !any_o);
    end
`endif

endmodule

`default_nettype wire
