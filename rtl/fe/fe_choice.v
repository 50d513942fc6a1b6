// SPDX-License-Identifier: Apache-2.0
// fe_choice: selects which head of the full/empty scheduler's three queues leaves (F/E 6.3, and ageing).
//
// Contract
// - Inputs, a bit per queue (NON in bit 0, CPU, GPU): pass_i, blocked_i of fe_head; released_i: a blocked
//   one may leave; room_i: for its reply; error_i: it does not go to memory; stopped_i: a range command
//   stands against it; uses_i: it has a trigger or an action. free_i: memory's side is free. act_i: what
//   left in the cycle before changes bits now.
//
//     ready_o   (pass, or blocked and released), room, (error or free), not stopped
//     can_o     ready_o, and not (uses and act)
//     leave_o   one of can_o, if there is one, in the same cycle:
//               1  CPU or GPU that was ready in TurnLimit cycles in which another left; of two such, the
//                  one whose queue did not go first for this the last time
//               2  NON          3  CPU          4  GPU
//
// - So, counting cycles with its bit of can_o, a CPU or GPU head is passed by TurnLimit + 1 at most.
`default_nettype none

module fe_choice #(
    parameter TurnLimit = 16 // 2 to 255
) (
    input  wire       clk_i,
    input  wire       rst_i,
    input  wire [2:0] pass_i,
    input  wire [2:0] blocked_i,
    input  wire [2:0] released_i,
    input  wire [2:0] room_i,
    input  wire [2:0] error_i,
    input  wire [2:0] stopped_i,
    input  wire [2:0] uses_i,
    input  wire       free_i,
    input  wire       act_i,
`ifdef FORMAL
    output wire [23:0] f_turns_o,
    output wire        f_after_cpu_o,
`endif
    output wire [2:0] ready_o,
    output wire [2:0] can_o,
    output wire [2:0] leave_o
);

    generate
        if (TurnLimit < 2 || TurnLimit > 255) begin : g_check
            fe_choice_needs_a_turn_limit_of_2_to_255 check_parameters ();
        end
    endgenerate

    localparam Non = 0, Cpu = 1, Gpu = 2;
    localparam [7:0] Turns = TurnLimit[7:0];

    wire [2:0] ready = (pass_i | (blocked_i & released_i)) & room_i & (error_i | {3{free_i}}) &
                       ~stopped_i;
    wire [2:0] can   = ready & ~(uses_i & {3{act_i}});
    wire [2:0] aged;
    reg        after_cpu_q; // the last head that went first for its turns was a CPU one
    wire [2:0] leave = aged[Gpu] && (after_cpu_q || !aged[Cpu]) ? 3'b100
                     : aged[Cpu] ? 3'b010
                     : can & (~can + 3'd1); // the lowest

    always @(posedge clk_i)
        if (rst_i)
            after_cpu_q <= 1'b0;
        else if (aged != 0)
            after_cpu_q <= leave[Cpu];

    genvar g;
    generate
        for (g = 1; g < 3; g = g + 1) begin : g_turns
            reg [7:0] turns_q; // departures that passed the head while it was ready
            reg       due_q;   // they are Turns

            always @(posedge clk_i)
                if (rst_i || leave[g]) begin
                    turns_q <= 8'd0;
                    due_q   <= 1'b0;
                end else if (ready[g] && can != 0 && !due_q) begin
                    turns_q <= turns_q + 8'd1;
                    due_q   <= turns_q == Turns - 8'd1;
                end

            assign aged[g] = can[g] && due_q;
        end
    endgenerate
    assign aged[Non] = 1'b0;

    assign ready_o = ready;
    assign can_o   = can;
    assign leave_o = leave;

`ifdef FORMAL
`include "properties/fe_choice.fv.vh"
`endif

endmodule

`default_nettype wire
