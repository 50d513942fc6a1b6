// SPDX-License-Identifier: Apache-2.0
// fe_head: examines the head of one queue: does its trigger hold? (F/E 4.3)
//
// Contract
// - A head that needs its full/empty bits (bits_i) asks for its row with look_o until look_grant_i.
//   The row is then at ram_bits_i in the next cycle, and copied here. From then on every write to
//   that row (write_*) updates the copy, and so does one of another row that takes its place in the
//   table of part-full grains (write_mixed_i), so that it always equals the row.
// - FULL holds when every grain of which the mask has a word is full, EMPTY when none is; an empty
//   mask holds always. A grain is GrainWords words; it is full when all of them are (fe_bit_ram).
//   The head judges its trigger once after the look and again after each write to the row; in between
//   it reads and evaluates nothing.
// - pass_o: the head may leave as far as its trigger is concerned.
//
//     cycle                              t        t+1     t+2      t+3
//     a head without bits                first    pass_o
//     action, no trigger: state_o        grant    LOOK    READY, pass_o
//     trigger: state_o                   grant    LOOK    JUDGE    READY or BLOCKED
//     a write to the row of a judged one write    JUDGE   READY or BLOCKED
//
// - blocked_o: judged, and the trigger does not hold. pass_o and blocked_o come from the state alone.
// - row_bits_o: the row as it is now, valid while pass_o or blocked_o is high and bits_i is, and in
//   the cycle after the head has left.
// - leave_i: the head leaves in this cycle; the inputs show a new head in the next.
// - Illegal: look_grant_i without look_o; leave_i without pass_o or blocked_o; a change of the
//   head's fields without leave_i.
`default_nettype none
`include "evgpu_defs.vh"

module fe_head #(
    parameter RowBits    = 11,
    parameter Words      = 32,
    parameter GrainWords = 1,                  // as in fe_bit_ram
    parameter PartLines  = `EVG_FE_PART_LINES
) (
    input  wire                           clk_i,
    input  wire                           rst_i,
    // The head of the queue
    input  wire                           valid_i,
    input  wire                           bits_i, // in the region, with a trigger or an action
    input  wire [RowBits-1:0]             row_i,
    input  wire [Words-1:0]               mask_i,
    input  wire [`EVG_FE_TRIGGER_WIDTH-1:0] trigger_i,
    input  wire                           leave_i,
    // Look into the bit RAM
    output wire                           look_o,
    input  wire                           look_grant_i,
    input  wire [Words-1:0]               ram_bits_i,
    // Writes to the bit RAM
    input  wire                           write_i,
    input  wire [RowBits-1:0]             write_row_i,
    input  wire [Words-1:0]               write_bits_i,
    input  wire                           write_mixed_i,
    // Verdict
    output wire                           pass_o,
    output wire                           blocked_o,
    output wire [Words-1:0]               row_bits_o,
    output wire [`EVG_FE_HEAD_WIDTH-1:0]  state_o
);

    localparam Grains    = Words / GrainWords;
    localparam IndexBits = GrainWords == 1 ? 1 : $clog2(PartLines);

    generate
        if (RowBits < 1 || Words < 1 || GrainWords < 1 || Grains * GrainWords != Words ||
            IndexBits > RowBits || (GrainWords != 1 && (1 << IndexBits) != PartLines)) begin : g_check
            fe_head_needs_a_row_whole_grains_and_part_lines_a_power_of_two check_parameters ();
        end
    endgenerate

    reg [`EVG_FE_HEAD_WIDTH-1:0] state_q, state_d;
    reg                          pass_q, blocked_q; // functions of the state
    reg [Words-1:0]              copy_q;

    wire hit     = write_i && write_row_i == row_i;
    wire taken   = write_mixed_i && write_row_i[IndexBits-1:0] == row_i[IndexBits-1:0];
    wire trigger = bits_i && trigger_i != `EVG_FE_TRIGGER_NONE;
    wire looked  = state_q == `EVG_FE_HEAD_LOOK;

    // Grains that are not as the trigger wants them; the row without its part-full grains
    wire [Words-1:0]  seen = looked ? ram_bits_i : copy_q;
    wire [Words-1:0]  whole;
    wire [Grains-1:0] touched, full;
    wire [Grains-1:0] against = touched & (trigger_i == `EVG_FE_TRIGGER_FULL ? ~full : full);

    genvar g;
    generate
        for (g = 0; g < Grains; g = g + 1) begin : g_grain
            assign touched[g] = |mask_i[g*GrainWords+:GrainWords];
            assign full[g]    = &copy_q[g*GrainWords+:GrainWords];
            assign whole[g*GrainWords+:GrainWords] = {GrainWords{&seen[g*GrainWords+:GrainWords]}};
        end
    endgenerate

    always @* begin
        state_d = state_q;
        case (state_q)
        `EVG_FE_HEAD_NEW:
            if (look_grant_i)
                state_d = `EVG_FE_HEAD_LOOK;
            else if (valid_i && !bits_i)
                state_d = `EVG_FE_HEAD_READY;
        `EVG_FE_HEAD_LOOK:
            state_d = trigger ? `EVG_FE_HEAD_JUDGE : `EVG_FE_HEAD_READY;
        `EVG_FE_HEAD_JUDGE:
            if (!hit)
                state_d = against == 0 ? `EVG_FE_HEAD_READY : `EVG_FE_HEAD_BLOCKED;
        default: // READY, BLOCKED
            if (hit && trigger)
                state_d = `EVG_FE_HEAD_JUDGE;
        endcase
        if (leave_i)
            state_d = `EVG_FE_HEAD_NEW;
    end

    // The verdict of the next cycle, without the whole state: hit and leave_i come late.
    wire fresh    = state_q == `EVG_FE_HEAD_NEW && valid_i && !bits_i; // no look is granted to such a head
    wire judged   = state_q == `EVG_FE_HEAD_JUDGE;
    wire pass_hit = fresh || (looked && !trigger) || (pass_q && !trigger);
    wire pass_d   = !leave_i && (hit ? pass_hit : pass_hit || pass_q || (judged && against == 0));
    wire blocked_d = !leave_i && !hit && (blocked_q || (judged && against != 0)); // only with a trigger

    always @(posedge clk_i)
        if (rst_i) begin
            state_q   <= `EVG_FE_HEAD_NEW;
            pass_q    <= 1'b0;
            blocked_q <= 1'b0;
        end else begin
            state_q   <= state_d;
            pass_q    <= pass_d;
            blocked_q <= blocked_d;
        end

    always @(posedge clk_i)
        if (looked || ((hit || taken) && state_q != `EVG_FE_HEAD_NEW))
            copy_q <= hit ? write_bits_i : taken ? whole : ram_bits_i;

    assign look_o     = valid_i && bits_i && state_q == `EVG_FE_HEAD_NEW;
    assign pass_o     = pass_q;
    assign blocked_o  = blocked_q;
    assign row_bits_o = copy_q;
    assign state_o    = state_q;

`ifdef FORMAL
`include "properties/fe_head.fv.vh"
`endif

endmodule

`default_nettype wire
