// For frontend_rows.task: doorbell_decoder and event_kernel_table as gpu_frontend joins them. What each
// assumes of the other is proved here, for every row. Around them is what they see of event_dispatch and
// event_completion: a kernel is taken whenever, and a row's event completes Steps cycles after it was taken
// at the earliest (its kernel is handed on, its completion taken, its pointer read).
`default_nettype none
`include "evgpu_defs.vh"

module frontend_rows_top #(
    parameter Rows        = `EVG_EKT_ROWS,
    parameter RowBits     = 5,
    parameter SeqBits     = `EVG_ROW_EVENT_BITS,
    parameter FairEvery   = `EVG_FAIR_EVERY,
    parameter FairBits    = 4,
    parameter AddressBits = 64,
    parameter BlockThreads = `EVG_BLOCK_THREADS
) (
    input wire                   clk_i,
    input wire                   rst_i,
    input wire                   wr_valid_i,
    input wire [31:0]            wr_addr_i,
    input wire [3:0]             wr_size_i,
    input wire [15:0]            wr_rid_i,
    input wire                   cmd_valid_i,
    input wire [1:0]             cmd_op_i,
    input wire [RowBits-1:0]     cmd_row_i,
    input wire [15:0]            cmd_rid_i,
    input wire [63:0]            cmd_kernel_i,
    input wire [AddressBits-1:0] cmd_base_i,
    input wire [AddressBits-1:0] cmd_size_i,
    input wire [AddressBits-1:0] cmd_last_i,
    input wire [191:0]           cmd_dims_i,
    input wire [15:0]            cmd_shared_i,
    input wire [`EVG_PRIORITY_BITS-1:0] cmd_priority_i,
    input wire                   cmd_bad_window_i,
    input wire                   ab_hit_i,
    input wire                   kernel_ready_i,
    input wire                   placed_i,
    input wire [`EVG_PRIORITY_BITS-1:0] placed_level_i,
    input wire                   queued_i,
    input wire [`EVG_PRIORITY_BITS-1:0] queued_level_i,
    input wire                   dec_valid_i,
    input wire [RowBits-1:0]     dec_row_i
);

    localparam Steps = 3;

    wire               open_valid, open_warp, close_valid, launch_valid, launch_ready, kernel_valid;
    wire [RowBits-1:0] open_row, close_row, launch_row, kernel_row;
    wire [15:0]        open_rid, launch_tag;
    wire [`EVG_PRIORITY_BITS-1:0] open_priority;
    wire [Rows-1:0]    empty;

    doorbell_decoder #(
        .Rows(Rows), .RowBits(RowBits), .SeqBits(SeqBits), .FairEvery(FairEvery), .FairBits(FairBits),
        .CounterBits(2)
    ) u_decoder (
        .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(wr_valid_i), .wr_addr_i(wr_addr_i),
        .wr_size_i(wr_size_i), .wr_rid_i(wr_rid_i), .open_valid_i(open_valid), .open_row_i(open_row),
        .open_rid_i(open_rid), .open_priority_i(open_priority), .open_warp_i(open_warp),
        .close_valid_i(close_valid), .placed_i(placed_i), .placed_level_i(placed_level_i),
        .queued_i(queued_i), .queued_level_i(queued_level_i),
        .close_row_i(close_row), .launch_valid_o(launch_valid), .launch_row_o(launch_row),
        .launch_tag_o(launch_tag), .launch_ready_i(launch_ready), .empty_o(empty),
        .dec_valid_i(dec_valid_i), .dec_row_i(dec_row_i), .err_clear_i(1'b0)
    );

    event_kernel_table #(
        .Rows(Rows), .RowBits(RowBits), .AddressBits(AddressBits), .BlockThreads(BlockThreads)
    ) u_table (
        .clk_i(clk_i), .rst_i(rst_i), .cmd_valid_i(cmd_valid_i), .cmd_op_i(cmd_op_i),
        .cmd_row_i(cmd_row_i), .cmd_rid_i(cmd_rid_i), .cmd_kernel_i(cmd_kernel_i),
        .cmd_base_i(cmd_base_i), .cmd_size_i(cmd_size_i), .cmd_last_i(cmd_last_i),
        .cmd_dims_i(cmd_dims_i), .cmd_shared_i(cmd_shared_i), .cmd_priority_i(cmd_priority_i),
        .cmd_bad_window_i(cmd_bad_window_i), .ab_hit_i(ab_hit_i),
        .open_valid_o(open_valid), .open_row_o(open_row),
        .open_rid_o(open_rid), .open_priority_o(open_priority), .open_warp_o(open_warp),
        .close_valid_o(close_valid),
        .close_row_o(close_row), .launch_valid_i(launch_valid), .launch_row_i(launch_row),
        .launch_tag_i(launch_tag), .launch_ready_o(launch_ready), .row_empty_i(empty),
        .kernel_valid_o(kernel_valid), .kernel_row_o(kernel_row), .kernel_ready_i(kernel_ready_i)
    );

    // The row that both follow
    (* hierconn *) wire [RowBits-1:0] \u_decoder.f_row , \u_table.f_row , \u_table.launch_row_q ;
    (* hierconn *) wire [SeqBits-1:0] \u_decoder.f_running ;
    (* hierconn *) wire [RowBits-1:0] \u_decoder.row_q ;
    (* hierconn *) wire [Rows-1:0]    \u_decoder.open_q ;
    (* hierconn *) wire               \u_decoder.good_q , \u_table.read_queue , \u_table.load ;
    (* hierconn *) wire               \u_table.f_step_state , \u_table.write_back ;
    (* hierconn, init = 1'b0 *) wire  \u_decoder.f_live , \u_table.f_live , \u_table.f_open ;
    wire [RowBits-1:0] f_row = \u_table.f_row ;

    // Its events from their launch to their end: not yet taken, taken a short time ago, and others
    wire               f_ours  = \u_table.launch_row_q == f_row;
    wire               f_inside = f_ours && (\u_table.read_queue || kernel_valid);
    wire               f_taken  = f_ours && kernel_valid && kernel_ready_i;
    wire               f_ends   = dec_valid_i && dec_row_i == f_row;
    reg [Steps-1:0]    f_soon;
    reg [SeqBits+2:0]  f_later;
    wire [SeqBits+2:0] f_recent = f_soon[0] + f_soon[1] + f_soon[2];

    always @(posedge clk_i)
        if (rst_i) begin
            f_soon  <= 0;
            f_later <= 0;
        end else begin
            f_soon  <= {f_soon[Steps-2:0], f_taken};
            f_later <= f_later + f_soon[Steps-1] - f_ends;
        end

    always @* begin
        assume (\u_decoder.f_row == f_row);
        assert (\u_decoder.f_live == \u_table.f_live );
        if (\u_table.f_live ) begin
            if (f_ends)
                assume (f_later != 0);
            // Each has the same row open; what comes in comes for an open one.
            assert (\u_decoder.open_q [f_row] == \u_table.f_open );
            if (\u_decoder.good_q && \u_decoder.row_q == f_row)
                assert (\u_table.f_open );
            // No event lost or counted twice between the two
            assert (\u_decoder.f_running == f_inside + f_recent + f_later && f_later < 1 << SeqBits);
            // A launch that has been taken is stepped while its event is young.
            if (f_ours && (\u_table.load || \u_table.f_step_state || \u_table.write_back ))
                assert (f_inside || f_soon[0] || f_soon[1]);
            if (f_ours && \u_table.load )
                assert (kernel_valid);
            if (f_ours && \u_table.f_step_state )
                assert (kernel_valid || f_soon[0]);
        end
    end
endmodule

`default_nettype wire
