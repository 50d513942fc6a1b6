// SPDX-License-Identifier: Apache-2.0
// fe_in_order: a queue of requests of which only the first, the head, can leave, with the state of that
// head (F/E 4.3: strictly ordered queues). In fe_look_ahead several can.
//
// Contract
// - As fe_queue, it stores the request of push_i while ready_o is high, up to Depth requests. The first is
//   the head, examined by fe_head: pass_o, blocked_o, row_bits_o, state_o are those of fe_head.
// - error_o, acts_o, uses_o, stopped_o are of a head that has been here for a cycle, as every head with
//   pass_o or blocked_o has:
//
//     error_o    it is an error (Triggered 0 only)
//     acts_o     it will change bits
//     uses_o     it has a trigger or will change bits
//     stopped_o  a range command stands against it: it acts and next_hold_i was high in the cycle
//                before, or it has a trigger and next_write_i was
//
// - leave_i: the head leaves; in the next cycle the one behind it is the head.
// - Release (Triggered 1): with release_i in cycle t, the requests that are inside in t, and do not leave
//   in it, are released: while one of them is the head, released_o is high.
// - still_o: no register changes without an input: no head, or one that is blocked and not released.
// - Illegal: push_i while ready_o is low; leave_i without pass_o or a blocked_o that is released;
//   look_grant_i without look_o.
`default_nettype none
`include "evgpu_defs.vh"

module fe_in_order #(
    parameter Triggered  = 1,                   // 0: triggers are not looked at, nothing is released
    parameter Width      = 88,
    parameter Depth      = `EVG_FE_QUEUE_DEPTH, // power of two, at least 2
    parameter DepthLog2  = 3,                   // log2(Depth)
    parameter RowBits    = 11,
    parameter Words      = 32,
    parameter GrainWords = 1,
    parameter PartLines  = `EVG_FE_PART_LINES,
    parameter LineLsb    = 0, // fields of a request; the row is the lowest bits of the line
    parameter MaskLsb    = 32,
    parameter TriggerLsb = 80,
    parameter ActionLsb  = 82,
    parameter BitsLsb    = 86,
    parameter ErrorLsb   = 87
) (
    input  wire                          clk_i,
    input  wire                          rst_i,
    // Producer
    input  wire                          push_i,
    input  wire [Width-1:0]              data_i,
    output wire                          ready_o,
    output wire                          last_o, // one place is left
    // The head
    output wire                          valid_o,
    output wire [Width-1:0]              data_o,
    output wire                          error_o,
    output wire                          acts_o,
    output wire                          uses_o,
    output wire                          stopped_o,
    output wire                          pass_o,
    output wire                          blocked_o,
    output wire                          released_o,
    input  wire                          leave_i,
    output wire [Words-1:0]              row_bits_o,
    output wire [`EVG_FE_HEAD_WIDTH-1:0] state_o,
    // Range commands, of the next cycle (fe_range)
    input  wire                          next_write_i,
    input  wire                          next_hold_i,
    // Release
    input  wire                          release_i,
    // The bit RAM
    output wire                          look_o,
    output wire [RowBits-1:0]            look_row_o,
    input  wire                          look_grant_i,
    input  wire [Words-1:0]              ram_bits_i,
    input  wire                          write_i,
    input  wire [RowBits-1:0]            write_row_i,
    input  wire [Words-1:0]              write_bits_i,
    input  wire                          write_mixed_i,
`ifdef FORMAL_CONTENT
    output wire [Depth*Width-1:0]        f_content_o,
    output wire [Depth-1:0]              f_there_o,
`endif
    output wire                          still_o
);

    generate
        if (Triggered != 0 && Triggered != 1) begin : g_check
            fe_in_order_triggered_is_0_or_1 check_parameters ();
        end
    endgenerate

    wire [DepthLog2:0] count;

    fe_queue #(.Width(Width), .Depth(Depth), .DepthLog2(DepthLog2)) u_queue (
        .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .data_i(data_i), .ready_o(ready_o),
        .last_o(last_o), .pop_i(leave_i), .valid_o(valid_o), .data_o(data_o),
`ifdef FORMAL_CONTENT
        .f_content_o(f_content_o), .f_there_o(f_there_o),
`endif
        .count_o(count)
    );

    // Where triggers are not looked at, an error keeps its own for the report of a time-out.
    wire [1:0] trigger   = Triggered != 0 ? data_o[TriggerLsb+:2] : `EVG_FE_TRIGGER_NONE;
    wire       triggered = data_o[BitsLsb] && trigger != `EVG_FE_TRIGGER_NONE;
    wire       acts      = data_o[BitsLsb] && data_o[ActionLsb+:2] != `EVG_FE_ACTION_NONE;
    reg        error_q, acts_q, uses_q, stopped_q;

    always @(posedge clk_i) begin
        error_q   <= Triggered == 0 && data_o[ErrorLsb];
        acts_q    <= acts;
        uses_q    <= acts || triggered;
        stopped_q <= (acts && next_hold_i) || (triggered && next_write_i);
    end

    fe_head #(
        .RowBits(RowBits), .Words(Words), .GrainWords(GrainWords), .PartLines(PartLines)
    ) u_head (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_o), .bits_i(data_o[BitsLsb]),
        .row_i(look_row_o), .mask_i(data_o[MaskLsb+:Words]), .trigger_i(trigger),
        .leave_i(leave_i), .look_o(look_o), .look_grant_i(look_grant_i),
        .ram_bits_i(ram_bits_i), .write_i(write_i), .write_row_i(write_row_i),
        .write_bits_i(write_bits_i), .write_mixed_i(write_mixed_i), .pass_o(pass_o),
        .blocked_o(blocked_o), .row_bits_o(row_bits_o), .state_o(state_o)
    );

    generate
        if (Triggered != 0) begin : g_release
            reg  [DepthLog2:0] release_q;  // so many from the head on are released
            reg                released_q; // release_q is not 0
            localparam [DepthLog2:0] One = {{DepthLog2{1'b0}}, 1'b1};

            // leave_i comes late: subtracted and compared before it is known.
            always @(posedge clk_i)
                if (rst_i) begin
                    release_q  <= {DepthLog2 + 1{1'b0}};
                    released_q <= 1'b0;
                end else if (release_i) begin
                    release_q  <= leave_i ? count - One : count;
                    released_q <= leave_i ? count != One : count != {DepthLog2 + 1{1'b0}};
                end else if (released_q && leave_i) begin
                    release_q  <= release_q - One;
                    released_q <= release_q != One;
                end

            assign released_o = released_q;
        end else begin : g_no_release
            wire unused_release = ^{release_i, count};
            assign released_o = 1'b0;
        end
    endgenerate

    assign look_row_o = data_o[LineLsb+:RowBits];
    assign error_o    = error_q;
    assign acts_o     = acts_q;
    assign uses_o     = uses_q;
    assign stopped_o  = stopped_q;
    assign still_o    = !valid_o || (blocked_o && !released_o);

`ifdef FORMAL
`include "properties/fe_in_order.fv.vh"
`endif

endmodule

`default_nettype wire
