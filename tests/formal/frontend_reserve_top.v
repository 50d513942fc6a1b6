// SPDX-License-Identifier: Apache-2.0
// For frontend_reserve.task: doorbell_decoder and event_reserve as gpu_frontend joins them, with all rows: the
// events under way are never more than event_reserve can count. A row is opened while it has no event and a
// completion is of an event that has launched, which gpu_frontend.task proves for each row.
`default_nettype none
`include "evgpu_defs.vh"

module frontend_reserve_top #(
    parameter Rows      = `EVG_EKT_ROWS,
    parameter RowBits   = 5,
    parameter SeqBits   = `EVG_ROW_EVENT_BITS,
    parameter FairEvery = `EVG_FAIR_EVERY,
    parameter FairBits  = 4
) (
    input wire                   clk_i,
    input wire                   rst_i,
    input wire                   wr_valid_i,
    input wire [31:0]            wr_addr_i,
    input wire [3:0]             wr_size_i,
    input wire [15:0]            wr_rid_i,
    input wire                   open_valid_i,
    input wire [RowBits-1:0]     open_row_i,
    input wire [15:0]            open_rid_i,
    input wire [`EVG_PRIORITY_BITS-1:0] open_priority_i,
    input wire                   open_warp_i,
    input wire                   close_valid_i,
    input wire [RowBits-1:0]     close_row_i,
    input wire                   launch_ready_i,
    input wire                   placed_i,
    input wire [`EVG_PRIORITY_BITS-1:0] placed_level_i,
    input wire                   queued_i,
    input wire [`EVG_PRIORITY_BITS-1:0] queued_level_i,
    input wire                   dec_valid_i,
    input wire [RowBits-1:0]     dec_row_i,
    input wire [1:0]             cfg_mode_i,
    input wire [5:0]             cfg_most_i,
    input wire [2:0]             cfg_shift_i,
    input wire [15:0]            cfg_patience_i
);

    wire acc_valid;

    doorbell_decoder #(
        .Rows(Rows), .RowBits(RowBits), .SeqBits(SeqBits), .FairEvery(FairEvery), .FairBits(FairBits),
        .CounterBits(2)
    ) u_decoder (
        .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(wr_valid_i), .wr_addr_i(wr_addr_i),
        .wr_size_i(wr_size_i), .wr_rid_i(wr_rid_i), .open_valid_i(open_valid_i), .open_row_i(open_row_i),
        .open_rid_i(open_rid_i), .open_priority_i(open_priority_i), .open_warp_i(open_warp_i),
        .close_valid_i(close_valid_i), .close_row_i(close_row_i), .launch_ready_i(launch_ready_i),
        .placed_i(placed_i), .placed_level_i(placed_level_i), .queued_i(queued_i),
        .queued_level_i(queued_level_i), .dec_valid_i(dec_valid_i), .dec_row_i(dec_row_i),
        .acc_valid_o(acc_valid), .err_clear_i(1'b0)
    );

    event_reserve u_reserve (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_mode_i(cfg_mode_i), .cfg_most_i(cfg_most_i),
        .cfg_shift_i(cfg_shift_i), .cfg_patience_i(cfg_patience_i), .acc_valid_i(acc_valid),
        .dec_valid_i(dec_valid_i)
    );

    (* hierconn *) wire [SeqBits*Rows-1:0] \u_decoder.accepted_q , \u_decoder.launched_q ;
    (* hierconn *) wire [SeqBits*Rows-1:0] \u_decoder.completed_q ;
    (* hierconn *) wire [Rows-1:0]         \u_decoder.waits_q , \u_decoder.empty_q , \u_decoder.full_q ,
                                        \u_decoder.near_q ;
    (* hierconn *) wire [RowBits-1:0]      \u_decoder.acc_row_q ;
    (* hierconn *) wire [16:0]             \u_reserve.events_q ;
    (* hierconn, init = 1'b0 *) wire       \u_decoder.f_live , \u_reserve.f_live ;

    // Each row's events: all, those that wait, those that have launched
    localparam [SeqBits-1:0] Limit = {SeqBits{1'b1}};
    localparam               Most  = Rows * ((1 << SeqBits) - 1);
    reg [SeqBits-1:0]        f_flight, f_waits, f_runs;
    reg [16:0]               f_sum;
    integer                  r;

    generate
        if (Most >= (1 << 17) - 1) begin : g_check
            event_reserve_counts_fewer_events check_parameters ();
        end
    endgenerate

    always @* begin
        f_sum = 0;
        assert (\u_decoder.f_live == \u_reserve.f_live );
        for (r = 0; r < Rows; r = r + 1) begin
            f_flight = \u_decoder.accepted_q [SeqBits*r+:SeqBits] - \u_decoder.completed_q [SeqBits*r+:SeqBits];
            f_waits  = \u_decoder.accepted_q [SeqBits*r+:SeqBits] - \u_decoder.launched_q [SeqBits*r+:SeqBits];
            f_runs   = \u_decoder.launched_q [SeqBits*r+:SeqBits] - \u_decoder.completed_q [SeqBits*r+:SeqBits];
            f_sum    = f_sum + {{17 - SeqBits{1'b0}}, f_flight};
            if (\u_decoder.f_live ) begin
                if (dec_valid_i && dec_row_i == r)
                    assume (f_runs != 0);
                assert ({1'b0, f_waits} + {1'b0, f_runs} <= {1'b0, Limit});
                assert (\u_decoder.waits_q [r] == (f_waits != 0));
                assert (\u_decoder.empty_q [r] == (f_flight == 0));
                assert (\u_decoder.full_q [r] == (f_flight == Limit));
                assert (\u_decoder.near_q [r] == (f_flight == Limit - 1'b1));
            end
        end
        if (\u_decoder.f_live ) begin
            assert (f_sum == \u_reserve.events_q + acc_valid);
            assert (f_sum <= Most);
            if (acc_valid)
                assert (\u_decoder.waits_q [\u_decoder.acc_row_q ]);
        end
    end
endmodule

`default_nettype wire
