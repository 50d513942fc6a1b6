// SPDX-License-Identifier: Apache-2.0
// free_warp: one warp context of a SIMT core as a state machine, for a board that runs by itself
// (docs/design/fpga.md). It has no instructions, but everything of a warp that an event unit sees.
//
// A background warp fetches two instructions at a time and issues them in order, one when the one
// before has left the pipeline; after a run of 0..15 of them comes a load, a barrier or the exit, as
// draw_i says. Later a new warp may be launched on the context. An event runs for 16..143 cycles.
//
// Contract
// - Commands (hold_i .. release_i) act in the same cycle: outputs show the state after them, so an event
//   unit's inputs at an edge reflect what the core did with its outputs of the edge before. Only push_i, which
//   comes late, shows a cycle later: an event unit looks at no warp in that cycle (warp_take_ctrl).
// - hold_i: no fetch, no exit. flush_i: the i-buffer is empty, a fetch under way is discarded. drop_i: the
//   same, and its load will be issued again. push_i: an event, on the warp or on the free context. pop_i:
//   the event is off; the warp below stands still until release_i.
// - launchable_o: a warp may be launched on the context (launch_i). gone_o: its warp exits at this edge.
// - ended_o: the event is over and has not been answered (exit_i).
`default_nettype none

module free_warp (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [7:0]  draw_i,
    // Event unit
    input  wire        hold_i,
    input  wire        flush_i,
    input  wire        drop_i,
    input  wire        push_i,
    input  wire        pop_i,
    input  wire        release_i,
    // Core
    input  wire        launch_i,
    input  wire [15:0] stamp_i,
    input  wire        barrier_done_i,
    input  wire        exit_i,
    output wire        alive_o,
    output wire        event_o,
    output wire        was_event_o,  // at the beginning of the cycle
    output wire        under_o,      // an event is on the warp, or it has not been released
    output wire [1:0]  ibuf_o,
    output wire        fetch_o,
    output wire [2:0]  pipe_o,       // cycles until the instruction in the pipeline is through
    output wire        loads_o,
    output wire        younger_o,    // its load cannot be repeated
    output wire        barrier_o,
    output wire        waiting_o,    // the same at the beginning of the cycle
    output wire [15:0] stamp_o,
    output wire        launchable_o,
    output wire        gone_o,
    output wire        ended_o,
    output wire        over_o        // it has been answered
);

    reg        alive_q, event_q, under_q, over_q, discard_q, loads_q, younger_q, barrier_q, replay_q;
    reg [1:0]  ibuf_q, fetch_q;
    reg [2:0]  pipe_q;
    reg [3:0]  left_q;  // instructions in front of the load, barrier or exit
    reg [7:0]  wait_q;  // cycles until the load is back, or the context may be used again
    reg [7:0]  run_q;   // cycles that the event still runs
    reg [15:0] stamp_q;

    // After the commands
    wire       emptied = flush_i || drop_i || pop_i;
    wire [1:0] ibuf    = emptied ? 2'd0 : ibuf_q;
    wire       loads   = loads_q && !drop_i;
    wire       replay  = replay_q || drop_i;
    wire [3:0] left    = drop_i ? 4'd0 : left_q;
    wire       on      = event_q && !pop_i;
    wire       pinned  = under_q && !release_i;
    wire       occupied = on || push_i;
    wire       under   = pinned || (push_i && alive_q);

    wire active = alive_q && !under;
    wire issue  = active && ibuf != 2'd0 && pipe_q == 3'd0 && !loads && !barrier_q;
    wire last   = issue && left == 4'd0;
    wire leave  = last && !replay && draw_i[2:0] == 3'd7 && !hold_i;
    wire arrive = last && !replay && (draw_i[2:0] == 3'd5 || draw_i[2:0] == 3'd6);
    wire load   = last && !leave && !arrive;
    wire fetch  = active && !hold_i && ibuf == 2'd0 && fetch_q == 2'd0;
    wire vacate = leave || (pop_i && !alive_q);

    always @(posedge clk_i) begin
        alive_q   <= launch_i || (alive_q && !leave);
        event_q   <= occupied;
        under_q   <= under;
        over_q    <= !push_i && (over_q || exit_i);
        barrier_q <= arrive || (barrier_q && !barrier_done_i);
        loads_q   <= load || (loads && wait_q != 8'd0);
        replay_q  <= replay && !last && !launch_i;
        pipe_q    <= pipe_q != 3'd0 ? pipe_q - 1'b1 :
                     issue && !last ? {1'b0, draw_i[1:0]} + 3'd2 : 3'd0;
        fetch_q   <= fetch_q != 2'd0 ? fetch_q - 1'b1 : {2{fetch}};
        discard_q <= fetch_q != 2'd0 && (discard_q || emptied);
        if (leave)
            ibuf_q <= 2'd0;
        else if (fetch_q == 2'd1 && !discard_q && !emptied)
            ibuf_q <= 2'd2;
        else
            ibuf_q <= ibuf - {1'b0, issue};
        if (last || launch_i)
            left_q <= draw_i[7:4];
        else
            left_q <= left - {3'd0, issue};
        if (vacate)
            wait_q <= {draw_i[6:0], 1'b1};
        else if (load)
            wait_q <= {1'b0, draw_i[6:0]} + 8'd16;
        else if (wait_q != 8'd0 && (alive_q || !occupied))
            wait_q <= wait_q - 1'b1;
        if (last)
            younger_q <= draw_i[4:3] == 2'b11;
        if (push_i)
            run_q <= {1'b0, draw_i[6:0]} + 8'd16;
        else if (event_q && run_q != 8'd0)
            run_q <= run_q - 1'b1;
        if (launch_i)
            stamp_q <= stamp_i;
        if (rst_i) begin
            alive_q   <= 1'b0;
            event_q   <= 1'b0;
            under_q   <= 1'b0;
            over_q    <= 1'b0;
            discard_q <= 1'b0;
            loads_q   <= 1'b0;
            younger_q <= 1'b0;
            barrier_q <= 1'b0;
            replay_q  <= 1'b0;
            ibuf_q    <= 2'd0;
            fetch_q   <= 2'd0;
            pipe_q    <= 3'd0;
            left_q    <= 4'd0;
            wait_q    <= 8'd0;
            run_q     <= 8'd0;
            stamp_q   <= 16'd0;
        end
    end

    assign alive_o      = alive_q;
    assign event_o      = on;
    assign was_event_o  = event_q;
    assign under_o      = pinned;
    assign ibuf_o       = ibuf;
    assign fetch_o      = fetch_q != 2'd0;
    assign pipe_o       = pipe_q;
    assign loads_o      = loads;
    assign younger_o    = younger_q;
    assign barrier_o    = barrier_q && !barrier_done_i;
    assign waiting_o    = barrier_q;
    assign stamp_o      = stamp_q;
    assign launchable_o = !alive_q && !event_q && !push_i && wait_q == 8'd0;
    assign gone_o       = leave;
    assign ended_o      = event_q && run_q == 8'd0 && !over_q;
    assign over_o       = over_q;

endmodule
`default_nettype wire
