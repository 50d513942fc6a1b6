// warp_give_back: takes an exited event off its warp's SIMT stack, has the victim's registers
// restored and puts the victim back where it was, a barrier included (EDGE IV-D).
//
// Contract
// - Exits are served in their order, one at a time: cmd_pop_o; then, if the victim's registers were
//   saved, cmd_restore_o and restore_done_i; then, if there is a victim, cmd_release_o. A fresh
//   context ends with cmd_pop_o.
// - release_barrier_o is high only if the victim waited at a barrier when it was borrowed and no
//   bar_done_i has ended that barrier, the edge of the release included.
//
//     victim                      edges after back_valid_i  1        2            r+2
//     none (a fresh context)                                cmd_pop
//     with its registers                                    cmd_pop  cmd_release
//     saved; restore_done_i at r                            cmd_pop  cmd_restore  cmd_release
//
// - It waits for nothing but the core's restore, so every warp
//   is given back within the sum of the restores in front of it and 5 edges each.
// - back_done_o is at the edge of the last command for the entry.
// - Commands are pulses of one cycle, data outputs keep their last value.
// - Illegal: restore_done_i without a restore (ignored).
`default_nettype none
`include "evgpu_defs.vh"

module warp_give_back #(
    parameter IndexWidth = 2 // of a table entry
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    // Pending event warp table
    input  wire                  back_valid_i,
    input  wire [IndexWidth-1:0] back_entry_i,
    input  wire [5:0]            back_warp_i,
    input  wire                  back_fresh_i,
    input  wire                  back_spare_i,
    input  wire [6:0]            back_regs_i,
    output wire                  back_next_o,
    output wire [IndexWidth-1:0] returned_entry_o,
    input  wire                  returned_barrier_i,
    output wire                  back_done_o,
    // SIMT core
    input  wire                  restore_done_i,
    output wire                  cmd_pop_o,
    output wire [5:0]            pop_warp_o,
    output wire [IndexWidth-1:0] pop_entry_o,
    output wire                  cmd_restore_o,
    output wire [5:0]            restore_warp_o,
    output wire [IndexWidth-1:0] restore_entry_o,
    output wire [6:0]            restore_regs_o,
    output wire                  cmd_release_o,
    output wire [5:0]            release_warp_o,
    output wire                  release_barrier_o,
    // Observation
    output wire [1:0]            back_state_o,
    output wire                  quiet_o      // nothing moves without back_valid_i
);

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
                    if (!back_fresh_i)
                        state_d = back_spare_i ? Release : Restore;
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
                pop_warp_q  <= back_warp_i;
                pop_entry_q <= back_entry_i;
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
            regs_q <= back_regs_i;
    end

    assign back_next_o      = pop_d;
    assign back_done_o      = release_d || (pop_d && back_fresh_i);
    assign returned_entry_o = state_q == Idle ? back_entry_i : pop_entry_q;

    assign cmd_pop_o         = pop_q;
    assign pop_warp_o        = pop_warp_q;
    assign pop_entry_o       = pop_entry_q;
    assign cmd_restore_o     = restore_q;
    assign restore_warp_o    = restore_warp_q;
    assign restore_entry_o   = restore_entry_q;
    assign restore_regs_o    = restore_regs_q;
    assign cmd_release_o     = release_q;
    assign release_warp_o    = release_warp_q;
    assign release_barrier_o = barrier_q;
    assign back_state_o      = state_q;
    assign quiet_o           = state_q == Idle && !pop_q && !restore_q && !release_q;

`ifdef FORMAL
`include "warp_give_back.fv.vh"
`endif

endmodule

`default_nettype wire
