// SPDX-License-Identifier: Apache-2.0
// doorbell_decoder: decides which writes to the doorbell region launch an event, and which row's
// event launches next (EDGE III-C, III-E, IV).
//
// Contract
// - The region has one page of DOORBELL_PAGE bytes per row of the event kernel table; the page
//   number of a write is the row. A write is taken in every cycle with wr_valid_i: the channel is
//   never held, by no row.
// - What becomes of a taken write; the first line that holds counts, and counts once:
//
//     write                                               event  counter + 1
//     its page is beyond the table, or its row not open   no     err_unregistered_o
//     requester id is not the one the row was opened with no     err_foreign_o
//     offset in the page is not 0                         no     err_misaligned_o
//     size is not DOORBELL_BYTES                          no     err_size_o
//     2**SeqBits - 1 events of the row are in flight      no     err_overrun_o
//     any other                                           yes    -
//
//   So each row has its own share of the events in flight, and no other row can take it; a device with
//   no more queue entries than that never exceeds it.
// - A write is judged in the cycle after it was taken, by what its row was when it was taken (its
//   events in flight: those of the cycle of the judgement). An accepted one is remembered as a number
//   only, since all events of a row are the same but for the head of the queue, which the table hands
//   out. Its tag is its row and the row's sequence number: tags of events in flight differ if none is
//   overtaken by 2**SeqBits others of its row, as with a device that reuses its entries in order.
//
//     cycle            t        t+1       t+2
//     write            taken    judged
//     acc_valid_o                         high, for this cycle
//     launch_valid_o                      high, if nothing else waits
//     err_*                               one more
// - launch_* shows an event of the row that launch_order chooses, of those whose class and priority
//   launch_credit lets launch, anew in every cycle until launch_ready_i; the events of a row launch in
//   the order of their writes. After a launch launch_* is not valid for four cycles, as long as
//   event_kernel_table takes for it. What may not launch waits as a number, and no other row for it.
// - levels_o has the priorities of the rows that are open or have events, two cycles after a change.
// - An event is in flight from its acceptance to dec_valid_i; empty_o has the rows that have none.
//   dec_valid_i for an empty row is ignored.
// - open_* takes effect on writes taken one cycle later, close_* on one taken in the same cycle.
//   Opening an open row replaces its requester and priority; a row opened and closed in one cycle is
//   closed. Illegal: opening a row with events, or one that takes a write in the same cycle.
// - The error counters stop at their highest value. err_clear_i sets them to 0; a write judged in
//   the same cycle is counted after the clearing.
// - No illegal input on the write channel: that is the point of this block.
// - quiet_o: without a write, an open, a close, a launch or a completion no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module doorbell_decoder #(
    parameter Rows        = `EVG_EKT_ROWS,
    parameter RowBits     = 5,  // log2(Rows)
    parameter SeqBits     = `EVG_ROW_EVENT_BITS,
    parameter FairEvery   = `EVG_FAIR_EVERY,
    parameter FairBits    = 4,  // log2(FairEvery)
    parameter CounterBits = 32
) (
    input  wire                          clk_i,
    input  wire                          rst_i,
    // Write channel of the doorbell region
    input  wire                          wr_valid_i,
    input  wire [31:0]                   wr_addr_i,
    input  wire [3:0]                    wr_size_i,
    input  wire [15:0]                   wr_rid_i,
    // From event_kernel_table: which rows are open
    input  wire                          open_valid_i,
    input  wire [RowBits-1:0]            open_row_i,
    input  wire [15:0]                   open_rid_i,
    input  wire [`EVG_PRIORITY_BITS-1:0] open_priority_i,
    input  wire                          open_warp_i, // its kernels are warp events
    input  wire                          close_valid_i,
    input  wire [RowBits-1:0]            close_row_i,
    // To event_kernel_table: the event to launch next, and rows without events
    output wire                          launch_valid_o,
    output wire [RowBits-1:0]            launch_row_o,
    output wire [15:0]                   launch_tag_o,
    input  wire                          launch_ready_i,
    output wire [Rows-1:0]               empty_o,
    // From event_dispatch: what was handed over; to it: priorities that have rows
    input  wire                          placed_i, // a warp event
    input  wire [`EVG_PRIORITY_BITS-1:0] placed_level_i,
    input  wire                          queued_i, // a larger kernel
    input  wire [`EVG_PRIORITY_BITS-1:0] queued_level_i,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] levels_o,
    // From event_completion
    input  wire                          dec_valid_i,
    input  wire [RowBits-1:0]            dec_row_i,
    // Announcement of an accepted write, one pulse each
    output wire                          acc_valid_o,
    output wire [RowBits-1:0]            acc_row_o,
    output wire [15:0]                   acc_tag_o,
    // Error register
    input  wire                          err_clear_i,
    output wire [CounterBits-1:0]        err_unregistered_o,
    output wire [CounterBits-1:0]        err_foreign_o,
    output wire [CounterBits-1:0]        err_misaligned_o,
    output wire [CounterBits-1:0]        err_size_o,
    output wire [CounterBits-1:0]        err_overrun_o,
    output wire                          quiet_o
);

    localparam PageBits = $clog2(`EVG_DOORBELL_PAGE);
    localparam Bits     = `EVG_PRIORITY_BITS;
    localparam Levels   = 1 << Bits;
    localparam [3:0] WriteBytes = `EVG_DOORBELL_BYTES;
    localparam [SeqBits-1:0] One   = 1;
    localparam [SeqBits-1:0] Three = 3;

    generate
        if ((1 << RowBits) != Rows || (1 << PageBits) != `EVG_DOORBELL_PAGE ||
            PageBits + RowBits >= 32) begin : g_check
            doorbell_decoder_needs_rows_and_page_size_powers_of_two check_parameters ();
        end
        if (SeqBits < 2 || RowBits + SeqBits > 16 ||
            `EVG_ROW_EVENTS != (1 << `EVG_ROW_EVENT_BITS) - 1) begin : g_check_tags
            doorbell_decoder_needs_row_and_sequence_number_in_a_tag check_parameters ();
        end
    endgenerate

    // Row state. The requester id of a row that was never open is never looked at.
    reg [Rows-1:0] open_q;
    reg [15:0]     rid_q [0:Rows-1];
    reg [Bits*Rows-1:0] priority_q;
    reg [Rows-1:0] warp_q;

    always @(posedge clk_i) begin
        if (rst_i)
            open_q <= {Rows{1'b0}};
        else begin
            if (open_valid_i)
                open_q[open_row_i] <= 1'b1;
            if (close_valid_i)
                open_q[close_row_i] <= 1'b0;
        end
    end

    // What a write is judged by, formed when it is taken: what follows from it, up to the choice among
    // the rows, takes a cycle.
    wire [RowBits-1:0] wr_row = wr_addr_i[PageBits+:RowBits];

    reg               judge_q; // a write was taken
    reg [RowBits-1:0] row_q;
    reg               registered_q, aligned_q, sized_q;
    reg               ours_q;  // its requester is the row's
    wire registered_d = wr_addr_i[31:PageBits+RowBits] == 0 && open_q[wr_row] &&
                        !(close_valid_i && close_row_i == wr_row);
    wire aligned_d    = wr_addr_i[PageBits-1:0] == 0;
    wire sized_d      = wr_size_i == WriteBytes;
    wire ours_d       = wr_rid_i == rid_q[wr_row];

    always @(posedge clk_i) begin
        if (open_valid_i) begin
            rid_q[open_row_i] <= open_rid_i;
            priority_q[Bits*open_row_i+:Bits] <= open_priority_i;
            warp_q[open_row_i] <= open_warp_i;
        end
    end

    always @(posedge clk_i)
        if (wr_valid_i) begin
            row_q        <= wr_row;
            registered_q <= registered_d;
            aligned_q    <= aligned_d;
            sized_q      <= sized_d;
            ours_q       <= ours_d;
        end

    reg  [Rows-1:0] empty_q;     // no events in flight
    reg  [Rows-1:0] full_q;      // as many events in flight as a row may have
    reg  [Rows-1:0] near_q;      // one less
    reg  [Rows-1:0] chosen_q;    // row_q, a bit per row
    reg             row_full_q;  // full_q of row_q, formed with it: choosing from all would take longer
    reg             accept_q;    // the write taken becomes an event
    wire again  = accept_q && row_q == wr_row;
    wire ends   = dec_valid_i && dec_row_i == wr_row && !empty_q[wr_row];
    wire row_full_d = again == ends ? full_q[wr_row] : again && near_q[wr_row];

    always @(posedge clk_i)
        if (wr_valid_i) begin
            chosen_q   <= {{Rows - 1{1'b0}}, 1'b1} << wr_row;
            row_full_q <= row_full_d;
        end

    reg unregistered, foreign, misaligned, bad_size, overrun;
    always @* begin
        unregistered = 1'b0;
        foreign      = 1'b0;
        misaligned   = 1'b0;
        bad_size     = 1'b0;
        overrun      = 1'b0;
        if (judge_q) begin
            if (!registered_q)
                unregistered = 1'b1;
            else if (!ours_q)
                foreign = 1'b1;
            else if (!aligned_q)
                misaligned = 1'b1;
            else if (!sized_q)
                bad_size = 1'b1;
            else
                overrun = row_full_q;
        end
    end

    // Every row's events by sequence number: accepted, launched and completed so far. Each row looks at
    // its own numbers only; choosing one of all first would take longer.
    reg [SeqBits*Rows-1:0] accepted_q, launched_q, completed_q;
    reg [Rows-1:0]         waits_q;
    reg                    pick_valid_q;
    reg [RowBits-1:0]      pick_row_q;
    wire                   pop = pick_valid_q && launch_ready_i;

    // What was launched last, and whether it was one to three cycles ago: it counts in the credit and the
    // order from the cycle after the first on, and in what they choose after the third
    reg [2:0]         since_q;
    reg [RowBits-1:0] popped_row_q;
    reg [Bits-1:0]    popped_level_q;
    reg               popped_warp_q;
    reg               opened_q; // a row was opened a cycle ago: launch_order has not followed yet

    always @(posedge clk_i)
        if (pop) begin
            popped_row_q   <= pick_row_q;
            popped_level_q <= priority_q[Bits*pick_row_q+:Bits];
            popped_warp_q  <= warp_q[pick_row_q];
        end

    // By row, with places for 16 bits: a part-select whose width is no power of two becomes a shifter
    wire [16*Rows-1:0] accepted_wide, launched_wide;

    genvar r;
    generate
        for (r = 0; r < Rows; r = r + 1) begin : g_row
            wire up   = accept_q && chosen_q[r];
            wire out  = pop && pick_row_q == r;
            wire down = dec_valid_i && dec_row_i == r && !empty_q[r];
            wire [SeqBits-1:0] accepted  = accepted_q[SeqBits*r+:SeqBits];
            wire [SeqBits-1:0] launched  = launched_q[SeqBits*r+:SeqBits];
            wire [SeqBits-1:0] completed = completed_q[SeqBits*r+:SeqBits];
            wire [SeqBits-1:0] after_accepted  = accepted + One;
            wire [SeqBits-1:0] after_launched  = launched + One;
            wire [SeqBits-1:0] after_completed = completed + One;
            wire [SeqBits-1:0] third_accepted  = accepted + Three;
            wire               stays = out ? after_launched != accepted : waits_q[r];

            assign accepted_wide[16*r+:16] = {{16 - SeqBits{1'b0}}, accepted};
            assign launched_wide[16*r+:16] = {{16 - SeqBits{1'b0}}, launched};

            always @(posedge clk_i)
                if (rst_i) begin
                    accepted_q[SeqBits*r+:SeqBits]  <= {SeqBits{1'b0}};
                    launched_q[SeqBits*r+:SeqBits]  <= {SeqBits{1'b0}};
                    completed_q[SeqBits*r+:SeqBits] <= {SeqBits{1'b0}};
                    waits_q[r] <= 1'b0;
                    empty_q[r] <= 1'b1;
                    full_q[r]  <= 1'b0;
                    near_q[r]  <= 1'b0;
                end else begin
                    if (up)
                        accepted_q[SeqBits*r+:SeqBits] <= after_accepted;
                    if (out)
                        launched_q[SeqBits*r+:SeqBits] <= after_launched;
                    if (down)
                        completed_q[SeqBits*r+:SeqBits] <= after_completed;
                    waits_q[r] <= up || stays;
                    if (up != down) begin
                        empty_q[r] <= down && after_completed == accepted;
                        full_q[r]  <= up && near_q[r];
                        near_q[r]  <= up ? third_accepted == completed : full_q[r];
                    end
                end
        end
    endgenerate

    // Credit; priorities that have rows
    wire [Levels-1:0] warp_full, big_full, warp_held, big_held;
    reg  [Levels-1:0] levels_q, levels_d;
    integer           i, l;

    launch_credit u_credit (
        .clk_i(clk_i), .rst_i(rst_i),
        .launched_i(since_q[0]), .launched_warp_i(popped_warp_q), .launched_level_i(popped_level_q),
        .placed_i(placed_i), .placed_level_i(placed_level_i),
        .queued_i(queued_i), .queued_level_i(queued_level_i),
        .warp_full_o(warp_full), .big_full_o(big_full), .warp_held_o(warp_held), .big_held_o(big_held)
    );

    always @* begin
        levels_d = {Levels{1'b0}};
        for (i = 0; i < Rows; i = i + 1)
            for (l = 0; l < Levels; l = l + 1)
                if ((open_q[i] || !empty_q[i]) && priority_q[Bits*i+:Bits] == l[Bits-1:0])
                    levels_d[l] = 1'b1;
    end

    always @(posedge clk_i)
        if (rst_i)
            levels_q <= {Levels{1'b0}};
        else
            levels_q <= levels_d;

    // The choice, anew in every cycle; after a launch once it counts. What is accepted while nothing waits
    // need not wait for the choice.
    wire [Bits-1:0]    row_level = priority_q[Bits*row_q+:Bits];
    wire               at_once   = accept_q && !(warp_q[row_q] ? warp_full[row_level] : big_full[row_level]);
    wire               any;
    wire [RowBits-1:0] chosen;

    launch_order #(
        .Rows(Rows),
        .RowBits(RowBits),
        .FairEvery(FairEvery),
        .FairBits(FairBits)
    ) u_order (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .waits_i(waits_q),
        .comes_i(accept_q),
        .comes_row_i(chosen_q),
        .priority_i(priority_q),
        .warp_i(warp_q),
        .warp_held_i(warp_held),
        .big_held_i(big_held),
        .any_o(any),
        .row_o(chosen),
        .launched_i(since_q[0]),
        .launched_row_i(popped_row_q),
        .launched_level_i(popped_level_q)
    );

    reg               acc_valid_q;
    reg [RowBits-1:0] acc_row_q;
    reg [SeqBits-1:0] acc_seq_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            judge_q      <= 1'b0;
            accept_q     <= 1'b0;
            acc_valid_q  <= 1'b0;
            pick_valid_q <= 1'b0;
            since_q      <= 3'd0;
            opened_q     <= 1'b0;
        end else begin
            judge_q      <= wr_valid_i;
            accept_q     <= wr_valid_i && registered_d && aligned_d && sized_d && ours_d && !row_full_d;
            acc_valid_q  <= accept_q;
            pick_valid_q <= !pop && since_q == 3'd0 && (any || at_once);
            since_q      <= {since_q[1:0], pop};
            opened_q     <= open_valid_i;
        end
    end

    always @(posedge clk_i) begin
        if (accept_q) begin
            acc_row_q <= row_q;
            acc_seq_q <= accepted_wide[16*row_q+:SeqBits];
        end
        if (any || at_once)
            pick_row_q <= any ? chosen : row_q;
    end

    saturating_counter #(.Width(CounterBits)) u_unregistered (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i), .count_i(unregistered),
        .value_o(err_unregistered_o));
    saturating_counter #(.Width(CounterBits)) u_foreign (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i), .count_i(foreign),
        .value_o(err_foreign_o));
    saturating_counter #(.Width(CounterBits)) u_misaligned (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i), .count_i(misaligned),
        .value_o(err_misaligned_o));
    saturating_counter #(.Width(CounterBits)) u_size (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i), .count_i(bad_size),
        .value_o(err_size_o));
    saturating_counter #(.Width(CounterBits)) u_overrun (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i), .count_i(overrun),
        .value_o(err_overrun_o));

    localparam TagRest = 16 - RowBits - SeqBits;

    assign launch_valid_o = pick_valid_q;
    assign launch_row_o   = pick_row_q;
    assign launch_tag_o   = {{TagRest{1'b0}}, pick_row_q, launched_wide[16*pick_row_q+:SeqBits]};
    assign empty_o        = empty_q;
    assign acc_valid_o    = acc_valid_q;
    assign acc_row_o      = acc_row_q;
    assign acc_tag_o      = {{TagRest{1'b0}}, acc_row_q, acc_seq_q};
    assign levels_o       = levels_q;
    assign quiet_o        = !(|waits_q) && !judge_q && !acc_valid_q && !pick_valid_q && since_q == 3'd0 &&
                            !opened_q && levels_q == levels_d;

`ifdef FORMAL
`include "properties/doorbell_decoder.fv.vh"
`endif

endmodule

`default_nettype wire
