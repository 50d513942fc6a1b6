// SPDX-License-Identifier: Apache-2.0
// warp_give_back: takes an exited event off its warp's SIMT stack, has the victim's registers
// restored and puts the victim back where it was, a barrier included (EDGE IV-D).
//
// Contract
// - Exits are served in their order, one at a time: cmd_pop_o; then, if the victim's registers were
//   saved, cmd_restore_o and restore_done_i; then, if there is a victim, cmd_release_o. A fresh
//   context ends with cmd_pop_o.
// - barrier of release_o is high only if the victim waited at a barrier when it was borrowed and no
//   bar_done_i has ended that barrier, the edge of the release included.
//
//     victim                      edges after back_valid_i  1        2            r+2
//     none (a fresh context)                                cmd_pop
//     with its registers                                    cmd_pop  cmd_release
//     saved; restore_done_i at r                            cmd_pop  cmd_restore  cmd_release
//
// - It waits for nothing but the core's restore, so every warp is given back within the sum of the
//   restores in front of it and 5 edges each.
// - done of returned_o is at the edge of the last command for the entry.
// - Commands are pulses of one cycle, data outputs keep their last value.
// - Illegal: restore_done_i without a restore (ignored).
`default_nettype none
`include "evgpu_defs.vh"

module warp_give_back (
    input  wire                           clk_i,
    input  wire                           rst_i,
    // Pending event warp table
    input  wire                           back_valid_i,
    input  wire [`EVG_BACK_WIDTH-1:0]     back_i,
    output wire [`EVG_RETURNED_WIDTH-1:0] returned_o,
    input  wire                           returned_barrier_i,
    // SIMT core
    input  wire                           restore_done_i,
    output wire                           cmd_pop_o,
    output wire [`EVG_POP_WIDTH-1:0]      pop_o,
    output wire                           cmd_restore_o,
    output wire [`EVG_RESTORE_WIDTH-1:0]  restore_o,
    output wire                           cmd_release_o,
    output wire [`EVG_RELEASE_WIDTH-1:0]  release_o,
    // Observation
    output wire [1:0]                     back_state_o,
    output wire                           quiet_o      // nothing moves without back_valid_i
);

    localparam IndexWidth = `EVG_PEWT_INDEX_BITS;

    wire [IndexWidth-1:0] back_entry = back_i[`EVG_BACK_ENTRY];
    wire [5:0]            back_warp  = back_i[`EVG_BACK_WARP];
    wire                  back_fresh = back_i[`EVG_BACK_FRESH];
    wire                  back_spare = back_i[`EVG_BACK_SPARE];
    wire [6:0]            back_regs  = back_i[`EVG_BACK_REGS];

    localparam [1:0] Idle      = `EVG_BACK_STATE_IDLE;
    localparam [1:0] Restore   = `EVG_BACK_STATE_RESTORE;
    localparam [1:0] Restoring = `EVG_BACK_STATE_RESTORING;
    localparam [1:0] Release   = `EVG_BACK_STATE_RELEASE;

    reg [1:0] state_q, state_d;
    reg       pop_d, restore_d, release_d;
    reg       pop_q, restore_q, release_q;

    always @* begin
        state_d   = state_q;
        pop_d     = 1'b0;
        restore_d = 1'b0;
        release_d = 1'b0;
        case (state_q)
            Idle:
                if (back_valid_i) begin
                    pop_d = 1'b1;
                    if (!back_fresh)
                        state_d = back_spare ? Release : Restore;
                end
            Restore: begin
                restore_d = 1'b1;
                state_d   = Restoring;
            end
            Restoring:
                if (restore_done_i)
                    state_d = Release;
            Release: begin
                release_d = 1'b1;
                state_d   = Idle;
            end
            default:
                state_d = Idle;
        endcase
    end

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q   <= Idle;
            pop_q     <= 1'b0;
            restore_q <= 1'b0;
            release_q <= 1'b0;
        end else begin
            state_q   <= state_d;
            pop_q     <= pop_d;
            restore_q <= restore_d;
            release_q <= release_d;
        end
    end

    // Data outputs: ports are compared in lockstep, so they are reset. What was popped last is what
    // is restored and released.
    reg [5:0]            pop_warp_q, restore_warp_q, release_warp_q;
    reg [IndexWidth-1:0] pop_entry_q, restore_entry_q;
    reg [6:0]            regs_q, restore_regs_q;
    reg                  barrier_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            pop_warp_q      <= 6'd0;
            pop_entry_q     <= {IndexWidth{1'b0}};
            restore_warp_q  <= 6'd0;
            restore_entry_q <= {IndexWidth{1'b0}};
            restore_regs_q  <= 7'd0;
            release_warp_q  <= 6'd0;
            barrier_q       <= 1'b0;
        end else begin
            if (pop_d) begin
                pop_warp_q  <= back_warp;
                pop_entry_q <= back_entry;
            end
            if (restore_d) begin
                restore_warp_q  <= pop_warp_q;
                restore_entry_q <= pop_entry_q;
                restore_regs_q  <= regs_q;
            end
            if (release_d) begin
                release_warp_q <= pop_warp_q;
                barrier_q      <= returned_barrier_i;
            end
        end
        if (pop_d)
            regs_q <= back_regs;
    end

    wire back_done = release_d || (pop_d && back_fresh);

    assign returned_o[`EVG_RETURNED_NEXT]  = pop_d;
    assign returned_o[`EVG_RETURNED_DONE]  = back_done;
    assign returned_o[`EVG_RETURNED_ENTRY] = state_q == Idle ? back_entry : pop_entry_q;

    assign cmd_pop_o     = pop_q;
    assign pop_o         = {pop_warp_q, pop_entry_q};
    assign cmd_restore_o = restore_q;
    assign restore_o     = {restore_warp_q, restore_entry_q, restore_regs_q};
    assign cmd_release_o = release_q;
    assign release_o     = {release_warp_q, barrier_q};
    assign back_state_o  = state_q;
    assign quiet_o       = state_q == Idle && !pop_q && !restore_q && !release_q;

`ifdef FORMAL
`include "properties/warp_give_back.fv.vh"
`endif

endmodule

`default_nettype wire
