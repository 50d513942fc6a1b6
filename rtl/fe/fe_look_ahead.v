// SPDX-License-Identifier: Apache-2.0
// fe_look_ahead: a queue of triggered requests whose first LookAhead can leave out of order (F/E 4.5:
// looking past the head of a queue).
//
// Contract
// - As fe_queue, it stores the request of push_i while ready_o is high, up to Depth requests. The first
//   LookAhead of them that have not left are heads, each with an fe_head of its own.
// - Of the heads that can leave as far as their triggers are concerned, the oldest is chosen; data_o,
//   acts_o, pass_o, blocked_o and released_o are of that one. A head is not chosen while an older one
//   of the same row is there: requests for one line leave in the order in which they came.
// - The choice is a register: a head whose trigger holds in cycle t, first, is chosen in t+1. Once its
//   trigger holds, and for as long as it does, it is passed by LookAhead - 1 others of its queue at
//   most: those older than it, and one that had been chosen before.
// - leave_i: the chosen head leaves. row_bits_o is its row, in the cycle after.
// - Heads are loaded one after the other, each when the one before has been granted its look: a request
//   pushed in cycle t into an empty queue is a head in t+2, and chosen in t+6 if its trigger holds.
//
//     cycle                     t      t+2      t+6                  u               u+1
//     request, empty queue      push   a head   chosen, or blocked   trigger holds   chosen
//
// - oldest_*: the first request, for time-outs; it may be blocked while others pass it, for as long as
//   its words are not there. In the cycle after it has left, oldest_state_o is NEW, as of a queue with
//   one head.
// - release_i: the requests that are inside leave whether their trigger holds or not, in their turn.
// - still_o: no register changes without an input: all heads are blocked, and none can be loaded.
// - Illegal: push_i while ready_o is low; leave_i without pass_o or a blocked_o that is released;
//   look_grant_i without look_o; a request without trigger.
`default_nettype none
`include "evgpu_defs.vh"

module fe_look_ahead #(
    parameter Width      = 88,
    parameter Depth      = `EVG_FE_QUEUE_DEPTH, // power of two, at least 2
    parameter DepthLog2  = 3,                   // log2(Depth)
    parameter LookAhead  = 2,                   // heads, 2 to 8 and to Depth
    parameter RowBits    = 11,
    parameter Words      = 32,
    parameter GrainWords = 1,
    parameter PartLines  = `EVG_FE_PART_LINES,
    parameter LineLsb    = 0, // fields of a request; the row is the lowest bits of the line
    parameter MaskLsb    = 32,
    parameter TriggerLsb = 80,
    parameter ActionLsb  = 82
) (
    input  wire                          clk_i,
    input  wire                          rst_i,
    // Producer
    input  wire                          push_i,
    input  wire [Width-1:0]              data_i,
    output wire                          ready_o,
    output wire                          last_o, // one place is left
    // The head that is chosen
    output wire                          valid_o, // there are heads
    output wire                          chosen_o,
    output wire [Width-1:0]              data_o,
    output wire                          acts_o,
    output wire                          pass_o,
    output wire                          blocked_o,
    output wire                          released_o,
    input  wire                          leave_i,
    output wire [Words-1:0]              row_bits_o,
    // The oldest one
    output wire [Width-1:0]              oldest_data_o,
    output wire                          oldest_leaves_o,
    output wire [`EVG_FE_HEAD_WIDTH-1:0] oldest_state_o,
    // Release
    input  wire                          release_i,
    output wire                          releasing_o,
    // The bit RAM
    output wire                          look_o,
    output wire [RowBits-1:0]            look_row_o,
    input  wire                          look_grant_i,
    input  wire [Words-1:0]              ram_bits_i,
    input  wire                          write_i,
    input  wire [RowBits-1:0]            write_row_i,
    input  wire [Words-1:0]              write_bits_i,
    input  wire                          write_mixed_i,
`ifdef FORMAL
    input  wire [RowBits-1:0]            f_row_i,
    input  wire [Words-1:0]              f_bits_i,
`endif
`ifdef FORMAL_CONTENT
    output wire [(LookAhead+Depth)*Width-1:0] f_content_o, // the heads, then those behind them
    output wire [LookAhead+Depth-1:0]         f_there_o,
`endif
    output wire                          still_o
);

    localparam N = LookAhead;
    localparam HeadBits = `EVG_FE_HEAD_WIDTH;
    localparam [DepthLog2:0] Full = Depth[DepthLog2:0];
    localparam [DepthLog2:0] One  = {{DepthLog2{1'b0}}, 1'b1};
    localparam [DepthLog2:0] Two  = One << 1;

    generate
        if (N < 2 || N > 8 || N > Depth || RowBits < 1 || RowBits > 32) begin : g_check
            fe_look_ahead_needs_2_to_8_heads_and_a_depth_for_them check_parameters ();
        end
    endgenerate

    // --- how many are inside -------------------------------------------------------------------
    reg [DepthLog2:0] count_q;
    reg               ready_q, last_q;

    always @(posedge clk_i)
        if (rst_i) begin
            count_q <= {DepthLog2 + 1{1'b0}};
            ready_q <= 1'b1;
            last_q  <= 1'b0;
        end else if (push_i != leave_i) begin
            count_q <= push_i ? count_q + One : count_q - One;
            ready_q <= leave_i || count_q != Full - One;
            last_q  <= leave_i ? count_q == Full : count_q == Full - Two;
        end

    // --- those behind the heads -----------------------------------------------------------------
    wire               load, behind_valid, unused_ready, unused_last;
    wire [Width-1:0]   behind;
    wire [DepthLog2:0] behind_count;
    reg  [DepthLog2:0] release_q; // so many of them are released
    wire               load_released = release_i || release_q != 0;

    fe_queue #(.Width(Width), .Depth(Depth), .DepthLog2(DepthLog2)) u_behind (
        .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .data_i(data_i), .ready_o(unused_ready),
        .last_o(unused_last), .pop_i(load), .valid_o(behind_valid), .data_o(behind),
`ifdef FORMAL_CONTENT
        .f_content_o(f_content_o[N*Width+:Depth*Width]), .f_there_o(f_there_o[N+:Depth]),
`endif
        .count_o(behind_count)
    );

    always @(posedge clk_i)
        if (rst_i)
            release_q <= {DepthLog2 + 1{1'b0}};
        else if (release_i)
            release_q <= behind_count - {{DepthLog2{1'b0}}, load};
        else if (load && release_q != 0)
            release_q <= release_q - One;

    // --- the heads -------------------------------------------------------------------------------
    reg  [N-1:0] valid_q, released_q, chosen_q, left_q;
    wire [N-1:0] free    = ~valid_q;
    wire [N-1:0] into    = free & (~free + {{N - 1{1'b0}}, 1'b1}); // the lowest
    wire [N-1:0] leaving = chosen_q & {N{leave_i}};
    wire [N-1:0] look, pass, blocked, acts, oldest, can, choice;
    wire [RowBits-1:0] behind_row = behind[LineLsb+:RowBits];

    wire [N*Width-1:0]    items;
    wire [N*RowBits-1:0]  rows;
    wire [N*Words-1:0]    copies;
    wire [N*HeadBits-1:0] states;

    assign load = behind_valid && free != 0 && look == 0;

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : g_head
            reg [Width-1:0]   item_q;
            reg [RowBits-1:0] row_q;
            reg [N-1:0]       older_q, before_q; // heads older than this; those of them of its row
            wire [N-1:0]      same_row;
            wire              enter = load && into[g];

            always @(posedge clk_i)
                if (enter) begin
                    item_q   <= behind;
                    row_q    <= behind_row;
                    older_q  <= valid_q & ~leaving;
                    before_q <= valid_q & ~leaving & same_row;
                end else begin
                    older_q  <= older_q & ~leaving;
                    before_q <= before_q & ~leaving;
                end

            always @(posedge clk_i) begin
                valid_q[g] <= !rst_i && (enter || (valid_q[g] && !leaving[g]));
                if (enter)
                    released_q[g] <= load_released;
                else if (release_i)
                    released_q[g] <= 1'b1;
            end

            fe_head #(
                .RowBits(RowBits), .Words(Words), .GrainWords(GrainWords), .PartLines(PartLines)
            ) u_head (
                .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_q[g]), .bits_i(1'b1), .row_i(row_q),
                .mask_i(item_q[MaskLsb+:Words]), .trigger_i(item_q[TriggerLsb+:2]),
                .leave_i(leaving[g]), .look_o(look[g]), .look_grant_i(look[g] && look_grant_i),
                .ram_bits_i(ram_bits_i), .write_i(write_i), .write_row_i(write_row_i),
                .write_bits_i(write_bits_i), .write_mixed_i(write_mixed_i), .pass_o(pass[g]),
                .blocked_o(blocked[g]), .row_bits_o(copies[g*Words+:Words]),
                .state_o(states[g*HeadBits+:HeadBits])
            );

            assign items[g*Width+:Width]    = item_q;
            assign rows[g*RowBits+:RowBits] = row_q;
            assign acts[g]   = item_q[ActionLsb+:2] != `EVG_FE_ACTION_NONE;
            assign oldest[g] = valid_q[g] && older_q == 0;
            assign can[g]    = valid_q[g] && !leaving[g] && before_q == 0 &&
                               (pass[g] || (blocked[g] && released_q[g]));
            assign choice[g] = can[g] && (older_q & can) == 0;
        end
        for (g = 0; g < N * N; g = g + 1) begin : g_row
            assign g_head[g/N].same_row[g%N] = rows[g%N*RowBits+:RowBits] == behind_row;
        end
    endgenerate

    reg moved_q; // another head is the oldest now

    always @(posedge clk_i) begin
        moved_q  <= !rst_i && oldest_leaves_o;
        chosen_q <= rst_i ? {N{1'b0}} : choice;
        if (leave_i)
            left_q <= chosen_q;
    end

    // --- what is seen of them ----------------------------------------------------------------------
    reg [Width-1:0]    data, oldest_data;
    reg [Words-1:0]    row_bits;
    reg [RowBits-1:0]  look_row;
    reg [HeadBits-1:0] state;
    integer i;

    always @* begin
        data        = {Width{1'b0}};
        oldest_data = {Width{1'b0}};
        row_bits    = {Words{1'b0}};
        look_row    = {RowBits{1'b0}};
        state       = `EVG_FE_HEAD_NEW;
        for (i = 0; i < N; i = i + 1) begin
            data        = data | (items[i*Width+:Width] & {Width{chosen_q[i]}});
            oldest_data = oldest_data | (items[i*Width+:Width] & {Width{oldest[i]}});
            row_bits    = row_bits | (copies[i*Words+:Words] & {Words{left_q[i]}});
            look_row    = look_row | (rows[i*RowBits+:RowBits] & {RowBits{look[i]}});
            state       = state | (states[i*HeadBits+:HeadBits] & {HeadBits{oldest[i]}});
        end
    end

    assign ready_o    = ready_q;
    assign last_o     = last_q;
    assign valid_o    = valid_q != 0;
    assign chosen_o   = chosen_q != 0;
    assign data_o     = data;
    assign acts_o     = (chosen_q & acts) != 0;
    assign pass_o     = (chosen_q & pass) != 0;
    assign blocked_o  = (chosen_q & blocked) != 0;
    assign released_o = (chosen_q & released_q) != 0;
    assign row_bits_o = row_bits;
    assign oldest_data_o   = oldest_data;
    assign oldest_leaves_o = (leaving & oldest) != 0;
    assign oldest_state_o  = moved_q ? `EVG_FE_HEAD_NEW : state;
    assign releasing_o = (valid_q & released_q) != 0 || release_q != 0;
    assign look_o     = look != 0;
    assign look_row_o = look_row;
    assign still_o    = (valid_q & ~(blocked & ~released_q)) == 0 && chosen_q == 0 &&
                        !(behind_valid && free != 0);

`ifdef FORMAL
`include "properties/fe_look_ahead.fv.vh"
`endif

endmodule

`default_nettype wire
