// SPDX-License-Identifier: Apache-2.0
// victim_flush: empties a victim that is on hold (EDGE IV-D), or finds that this takes too long.
//
// The four optimisations (EDGE IV-D) are bits of cfg_opts_i:
//   priority       prio while a victim is held
//   flush i-buffer flush whenever its i-buffer is not empty
//   skip barriers  skip while it is held; that it waits at one does not matter then
//   drop loads     drop when it has loads in flight and nothing forbids to repeat them: no younger
//                  instruction that completed or is in a pipeline, no older one in a pipeline, no atomic
//                  or fence, no arrival at a barrier (an arrival cannot be rolled back)
// Dropping rolls back over the i-buffer, so a cycle has flush or drop, not both.
//
// Contract
// - held_i: a victim is on hold from this edge on. start_i: the edge that enters FLUSH. step_i: an edge
//   of FLUSH that does not end it. now_i: the victim can be flushed at once (ready_select), by dropping
//   its loads if now_drop_i is high; its command comes with the hold.
//
//     edge          0     1     2   ...  N-1    N     N+1
//     start_i       1     0     0         0     0      0
//     flushing_i    0     1     1         1     1      0
//     flushed_o     -     0     0         0     0      -    from its state: combinational
//     over_o        0     0     0         0     1      0    N: cfg_limit_i (flush_watch)
//     step_i        0     1     1         1     0      0
//     flush_o       -     -     1         1     1      0
//     resume_i, give_up_i                       1      0
//     flush_o: resume, timed_out                0      1    its bit of tried_o is high
//
// - flushed_o: no instruction in the i-buffer, being fetched or in a pipeline, no load, atomic or fence
//   in flight, and waiting at no barrier unless barriers are skipped.
// - resume_i: the victim is let go; with give_up_i because its time is over. clear_i: no warp is out.
// - At one edge: now_i goes before step_i. Illegal: both (obeyed so), resume_i with held_i.
// - quiet_o: no command is being given; then without held_i, start_i, now_i, step_i, resume_i, give_up_i
//   and clear_i no register changes, outside of FLUSH.
`default_nettype none
`include "evgpu_defs.vh"

module victim_flush (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [3:0]  cfg_opts_i,
    input  wire [15:0] cfg_limit_i,
    // warp_take_ctrl
    input  wire        held_i,
    input  wire        start_i,
    input  wire        flushing_i,
    input  wire        step_i,
    input  wire        now_i,
    input  wire        now_drop_i,
    input  wire        resume_i,
    input  wire        give_up_i,
    input  wire [5:0]  warp_i,
    input  wire        clear_i,
    output wire        flushed_o,
    output wire        over_o,
    output wire [63:0] tried_o,
    output wire        quiet_o,
    // SIMT core: the victim's state, and its commands
    input  wire [`EVG_VICTIM_WIDTH-1:0] vic_i,
    output wire [`EVG_FLUSH_WIDTH-1:0]  flush_o
);

    wire [1:0] vic_ibuf    = vic_i[`EVG_VICTIM_IBUF];
    wire       vic_fetch   = vic_i[`EVG_VICTIM_FETCH];
    wire       vic_pipe    = vic_i[`EVG_VICTIM_PIPE];
    wire       vic_loads   = vic_i[`EVG_VICTIM_LOADS];
    wire       vic_younger = vic_i[`EVG_VICTIM_YOUNGER];
    wire       vic_barrier = vic_i[`EVG_VICTIM_BARRIER];
    wire       vic_atomic  = vic_i[`EVG_VICTIM_ATOMIC];
    wire       unused_alive = &{1'b0, vic_i[`EVG_VICTIM_ALIVE]}; // looked at by who asks for the flush

    localparam [3:0] OptPriority    = `EVG_OPT_PRIORITY;
    localparam [3:0] OptFlushIbuf   = `EVG_OPT_FLUSH_IBUF;
    localparam [3:0] OptSkipBarrier = `EVG_OPT_SKIP_BARRIER;
    localparam [3:0] OptDropLoads   = `EVG_OPT_DROP_LOADS;

    wire opt_prio  = |(cfg_opts_i & OptPriority);
    wire opt_flush = |(cfg_opts_i & OptFlushIbuf);
    wire opt_skip  = |(cfg_opts_i & OptSkipBarrier);
    wire opt_drop  = |(cfg_opts_i & OptDropLoads);

    assign flushed_o = vic_ibuf == 2'd0 && !vic_fetch && !vic_pipe && !vic_loads &&
                       !vic_atomic && (!vic_barrier || opt_skip);

    // --- Commands --------------------------------------------------------------------------------
    wire can_drop = opt_drop && vic_loads && !vic_younger && !vic_pipe && !vic_atomic &&
                    !vic_barrier;
    wire drop_d   = now_i ? now_drop_i : step_i && can_drop;
    wire flush_d  = opt_flush && (now_i ? !now_drop_i : step_i && vic_ibuf != 2'd0 && !can_drop);

    reg prio_q, skip_q, flush_q, drop_q, resume_q, timed_out_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            prio_q      <= 1'b0;
            skip_q      <= 1'b0;
            flush_q     <= 1'b0;
            drop_q      <= 1'b0;
            resume_q    <= 1'b0;
            timed_out_q <= 1'b0;
        end else begin
            prio_q      <= held_i && opt_prio;
            skip_q      <= held_i && opt_skip;
            flush_q     <= flush_d;
            drop_q      <= drop_d;
            resume_q    <= resume_i;
            timed_out_q <= give_up_i;
        end
    end

    // --- The time ---------------------------------------------------------------------------------
    flush_watch u_watch (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_limit_i(cfg_limit_i),
        .start_i(start_i), .flushing_i(flushing_i), .over_o(over_o),
        .give_up_i(give_up_i), .warp_i(warp_i), .clear_i(clear_i),
        .tried_o(tried_o)
    );

    assign flush_o[`EVG_FLUSH_PRIO]      = prio_q;
    assign flush_o[`EVG_FLUSH_SKIP]      = skip_q;
    assign flush_o[`EVG_FLUSH_FLUSH]     = flush_q;
    assign flush_o[`EVG_FLUSH_DROP]      = drop_q;
    assign flush_o[`EVG_FLUSH_RESUME]    = resume_q;
    assign flush_o[`EVG_FLUSH_TIMED_OUT] = timed_out_q;
    assign quiet_o = !(prio_q || skip_q || flush_q || drop_q || resume_q || timed_out_q);

`ifdef FORMAL
`include "properties/victim_flush.fv.vh"
`endif

endmodule

`default_nettype wire
