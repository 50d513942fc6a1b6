// doorbell_decoder: decides which writes to the doorbell region launch an event (EDGE III-C,
// III-E).
//
// Contract
// - The region has one page of DOORBELL_PAGE bytes per row of the event kernel table; the page
//   number of a write is the row. A write is taken in a cycle with wr_valid_i and wr_ready_o.
// - A taken write is accepted if its row is open, its requester id is the one the row was opened
//   with, its offset in the page is 0 and its size is DOORBELL_BYTES. Any other write is dropped
//   and counted once, by the first cause in this order: unregistered (row not open, or page outside
//   the table), foreign requester, misaligned, wrong size.
// - A write is judged in the cycle after it was taken, by what its row was when it was taken. An
//   accepted one gets the next 16-bit tag and is queued for the table: taken in cycle t, it is
//   announced on acc_* and visible on launch_* in t+2. The queue keeps order and loses nothing.
// - wr_ready_o is low while QueueDepth accepted writes wait, or while room_i is low; then the write
//   channel waits, whatever it carries. One more may be accepted that was taken just before.
//   room_i may lag behind acc_valid_o: the caller keeps the slack (event_kernel_table).
// - open_* takes effect on writes taken one cycle later, close_* on one taken in the same cycle.
//   Opening an open row replaces its requester; a row opened and closed in one cycle is closed.
// - The error counters stop at their highest value. err_clear_i sets them to 0; a write judged in
//   the same cycle is counted after the clearing.
// - No illegal input on the write channel: that is the point of this block.
// - quiet_o: without a write, an open, a close, a launch or a change of room_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module doorbell_decoder #(
    parameter Rows           = `EVG_EKT_ROWS,
    parameter RowBits        = 5,  // log2(Rows)
    parameter QueueDepth     = `EVG_DOORBELL_QUEUE,
    parameter QueueDepthLog2 = 4,
    parameter CounterBits    = 32
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    // Write channel of the doorbell region
    input  wire                   wr_valid_i,
    input  wire [31:0]            wr_addr_i,
    input  wire [3:0]             wr_size_i,
    input  wire [15:0]            wr_rid_i,
    output wire                   wr_ready_o,
    // From event_kernel_table: which rows are open
    input  wire                   open_valid_i,
    input  wire [RowBits-1:0]     open_row_i,
    input  wire [15:0]            open_rid_i,
    input  wire                   close_valid_i,
    input  wire [RowBits-1:0]     close_row_i,
    input  wire                   room_i,
    // To event_kernel_table: accepted writes, oldest first
    output wire                   launch_valid_o,
    output wire [RowBits-1:0]     launch_row_o,
    output wire [15:0]            launch_tag_o,
    input  wire                   launch_ready_i,
    // Announcement of an accepted write, one pulse each
    output wire                   acc_valid_o,
    output wire [RowBits-1:0]     acc_row_o,
    output wire [15:0]            acc_tag_o,
    // Error register
    input  wire                   err_clear_i,
    output wire [CounterBits-1:0] err_unregistered_o,
    output wire [CounterBits-1:0] err_foreign_o,
    output wire [CounterBits-1:0] err_misaligned_o,
    output wire [CounterBits-1:0] err_size_o,
    output wire                   quiet_o
);

    localparam PageBits = $clog2(`EVG_DOORBELL_PAGE);
    localparam [3:0] WriteBytes = `EVG_DOORBELL_BYTES;
    localparam [QueueDepthLog2:0] Full = QueueDepth[QueueDepthLog2:0];

    generate
        if ((1 << RowBits) != Rows || (1 << PageBits) != `EVG_DOORBELL_PAGE ||
            PageBits + RowBits >= 32) begin : g_check
            doorbell_decoder_needs_rows_and_page_size_powers_of_two check_parameters ();
        end
    endgenerate

    // Row state. The requester id of a row that was never open is never looked at.
    reg [Rows-1:0] open_q;
    reg [15:0]     rid_q [0:Rows-1];

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

    // What a write is judged by, read when it is taken: reading and comparing in one cycle would be
    // the longest path of the front end.
    reg  wr_ready_q;
    wire take = wr_valid_i && wr_ready_q;
    wire [RowBits-1:0] wr_row = wr_addr_i[PageBits+:RowBits];

    reg               judge_q; // a write was taken
    reg [RowBits-1:0] row_q;
    reg               registered_q, aligned_q, sized_q;
    reg               good_q;  // all of these and judge_q, so that only the requester is in question
    reg [15:0]        wr_rid_q, row_rid_q;
    wire registered_d = wr_addr_i[31:PageBits+RowBits] == 0 && open_q[wr_row] &&
                        !(close_valid_i && close_row_i == wr_row);
    wire aligned_d    = wr_addr_i[PageBits-1:0] == 0;
    wire sized_d      = wr_size_i == WriteBytes;

    always @(posedge clk_i) begin
        if (open_valid_i)
            rid_q[open_row_i] <= open_rid_i;
        if (take)
            row_rid_q <= rid_q[wr_row];
    end

    always @(posedge clk_i)
        if (take) begin
            row_q        <= wr_row;
            registered_q <= registered_d;
            aligned_q    <= aligned_d;
            sized_q      <= sized_d;
            wr_rid_q     <= wr_rid_i;
        end

    wire ours   = wr_rid_q == row_rid_q;
    wire accept = good_q && ours;

    reg unregistered, foreign, misaligned, bad_size;
    always @* begin
        unregistered = 1'b0;
        foreign      = 1'b0;
        misaligned   = 1'b0;
        bad_size     = 1'b0;
        if (judge_q) begin
            if (!registered_q)
                unregistered = 1'b1;
            else if (!ours)
                foreign = 1'b1;
            else if (!aligned_q)
                misaligned = 1'b1;
            else if (!sized_q)
                bad_size = 1'b1;
        end
    end

    // Queue of accepted writes. The one judged while the queue is full is held before it.
    reg  [15:0]       tag_q; // of the next accepted write
    reg               held_q;
    reg               acc_valid_q;
    reg [RowBits-1:0] acc_row_q;
    reg [15:0]        acc_tag_q;
    wire        queue_empty;
    wire        queue_full;
    wire [QueueDepthLog2:0] queue_count;
    wire        pop  = launch_valid_o && launch_ready_i;
    wire        hold = queue_full && !pop;

    sync_fifo #(
        .Width(RowBits + 16),
        .Depth(QueueDepth),
        .DepthLog2(QueueDepthLog2)
    ) u_queue (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .push_i((accept || held_q) && !hold),
        .data_i(held_q ? {acc_row_q, acc_tag_q} : {row_q, tag_q}),
        .full_o(queue_full),
        .pop_i(pop),
        .data_o({launch_row_o, launch_tag_o}),
        .empty_o(queue_empty),
        .count_o(queue_count)
    );

    // Will QueueDepth accepted writes wait? No write is taken while they do, so held_q and accept
    // exclude each other.
    wire full_next  = queue_full ? hold || held_q || accept
                                 : accept && !pop && queue_count == Full - 1'b1;
    wire wr_ready_d = room_i && !full_next;

    always @(posedge clk_i) begin
        if (rst_i) begin
            wr_ready_q  <= 1'b1;
            judge_q     <= 1'b0;
            good_q      <= 1'b0;
            held_q      <= 1'b0;
            acc_valid_q <= 1'b0;
            tag_q       <= 16'd0;
        end else begin
            wr_ready_q  <= wr_ready_d;
            judge_q     <= take;
            good_q      <= take && registered_d && aligned_d && sized_d;
            held_q      <= (accept || held_q) && hold;
            acc_valid_q <= accept;
            if (accept)
                tag_q <= tag_q + 16'd1;
        end
    end

    always @(posedge clk_i)
        if (accept) begin
            acc_row_q <= row_q;
            acc_tag_q <= tag_q;
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

    assign wr_ready_o     = wr_ready_q;
    assign launch_valid_o = !queue_empty;
    assign acc_valid_o    = acc_valid_q;
    assign acc_row_o      = acc_row_q;
    assign acc_tag_o      = acc_tag_q;
    assign quiet_o        = queue_empty && !judge_q && !acc_valid_q && wr_ready_q == room_i;

`ifdef FORMAL
    // The judgement again, for one row that is free, and one accepted write, the same one that the
    // queue's own proof follows, from its acceptance to its launch.
`ifdef YOSYS
    (* anyconst *) wire [RowBits-1:0] f_row;
    (* anyseq *)   wire               f_pick;
    (* hierconn *) wire                    \u_queue.f_pick ;
    (* hierconn, init = 1'b0 *) wire       \u_queue.f_live ;
    (* hierconn, init = 1'b0 *) wire       \u_queue.f_tracked ;
    (* hierconn *) wire [QueueDepthLog2:0] \u_queue.f_ahead ;
    (* hierconn *) wire [RowBits+15:0]     \u_queue.f_data ;
`else
    wire [RowBits-1:0] f_row  = {RowBits{1'b0}};
    wire               f_pick = 1'b1;
`endif
    reg                    f_live = 1'b0; // there has been a reset
    reg                    f_open;
    reg [15:0]             f_rid;
    reg                    f_took, f_inside, f_ours, f_good, f_room;
    reg                    f_judged, f_judged_inside, f_judged_ours, f_judged_good;
    reg [QueueDepthLog2:0] f_count;         // accepted writes not yet launched
    reg                    f_tracked = 1'b0;
    reg [QueueDepthLog2:0] f_ahead;
    reg [RowBits-1:0]      f_tracked_row;
    reg [15:0]             f_tracked_tag;
    reg [15:0]             f_tag; // accepted writes since reset

    wire f_pop = launch_valid_o && launch_ready_i;

    always @(posedge clk_i) begin
        f_took   <= wr_valid_i && wr_ready_o && !rst_i;
        f_inside <= wr_addr_i[31:PageBits+RowBits] == 0;
        f_ours   <= wr_addr_i[PageBits+:RowBits] == f_row;
        f_good   <= f_open && !(close_valid_i && close_row_i == f_row) && wr_rid_i == f_rid &&
                    wr_addr_i[PageBits-1:0] == 0 && wr_size_i == WriteBytes;
        f_room   <= rst_i || room_i;
        f_judged        <= f_took && !rst_i;
        f_judged_inside <= f_inside;
        f_judged_ours   <= f_ours;
        f_judged_good   <= f_good;
        if (rst_i) begin
            f_live    <= 1'b1;
            f_open    <= 1'b0;
            f_count   <= 0;
            f_tag     <= 16'd0;
            f_tracked <= 1'b0;
        end else begin
            if (open_valid_i && open_row_i == f_row) begin
                f_open <= 1'b1;
                f_rid  <= open_rid_i;
            end
            if (close_valid_i && close_row_i == f_row)
                f_open <= 1'b0;
            if (accept)
                f_tag <= f_tag + 16'd1;
            f_count <= f_count + {{QueueDepthLog2{1'b0}}, accept} - {{QueueDepthLog2{1'b0}}, f_pop};
            if (f_tracked) begin
                if (f_pop)
                    f_ahead <= f_ahead - 1'b1;
                if (f_pop && f_ahead == 0)
                    f_tracked <= 1'b0;
            end else if (accept && f_pick) begin
                f_tracked     <= 1'b1;
                f_ahead       <= f_count - {{QueueDepthLog2{1'b0}}, f_pop};
                f_tracked_row <= row_q;
                f_tracked_tag <= tag_q;
            end
        end
    end

    always @*
        if (f_live) begin
            assert (open_q[f_row] == f_open && (!f_open || rid_q[f_row] == f_rid));
            // Only what is registered, aligned, of the right size and requester comes through; all
            // of that does, at once.
            assert (judge_q == f_took &&
                    good_q == (judge_q && registered_q && aligned_q && sized_q));
            if (f_took && !f_inside)
                assert (!registered_q);
            if (f_took && f_inside && f_ours)
                assert (row_q == f_row && accept == f_good);
            if (!f_judged || !f_judged_inside)
                assert (!acc_valid_o);
            if (f_judged && f_judged_inside && f_judged_ours)
                assert (acc_valid_o == f_judged_good && (!acc_valid_o || acc_row_o == f_row));
            // One verdict per write
            assert ({2'd0, accept} + {2'd0, unregistered} + {2'd0, foreign} + {2'd0, misaligned} +
                    {2'd0, bad_size} == {2'd0, judge_q});
            // Once, in order, numbered
            assert (tag_q == f_tag);
            assert (f_count == queue_count + {{QueueDepthLog2{1'b0}}, held_q} &&
                    launch_valid_o == (f_count != 0));
            if (held_q)
                assert (queue_full && !judge_q);
            if (f_tracked) begin
                assert (f_ahead < f_count);
                if (f_ahead == 0)
                    assert (launch_valid_o && launch_row_o == f_tracked_row &&
                            launch_tag_o == f_tracked_tag);
            end
            // Ready falls only for a full queue or for want of room.
            assert (wr_ready_o == (f_room && f_count < Full));
        end

`ifdef FORMAL_TOP_doorbell_decoder
    wire f_tracked_held = f_tracked && held_q && f_ahead == queue_count;
    always @* begin
        assume (\u_queue.f_pick == (held_q ? f_tracked_held : f_pick));
        assert (f_live == \u_queue.f_live );
        if (f_live) begin
            assert (f_tracked == (\u_queue.f_tracked || f_tracked_held));
            if (f_tracked_held)
                assert (!\u_queue.f_tracked && {acc_row_q, acc_tag_q} == {f_tracked_row, f_tracked_tag});
            else if (f_tracked)
                assert (f_ahead == \u_queue.f_ahead &&
                        \u_queue.f_data == {f_tracked_row, f_tracked_tag});
        end
    end

    always @* begin
        cover (f_live && f_count == Full && !wr_ready_o && f_room);
        cover (f_live && !f_room && !wr_ready_o);
        cover (f_live && foreign);
        cover (f_live && unregistered);
        cover (f_live && held_q && f_pop);
        cover (f_live && misaligned && err_size_o != 0);
        cover (f_live && f_tracked && f_ahead == 0 && f_tracked_row != 0 && f_pop && f_count > 1);
    end
`endif
`endif

endmodule

`default_nettype wire
