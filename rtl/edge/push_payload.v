// SPDX-License-Identifier: Apache-2.0
// push_payload: what a SIMT core is told with cmd_save_o and cmd_push_o (EDGE IV-D, Figure 10): the
// entry, the warp and its registers, and the event as the front end sent it.
//
// Contract
// - show_i, any number of edges before a push: event_i is the event's, of the table's entry entry_i.
//   Wide, so that it is loaded before it is known whether this is the edge that pushes.
// - save_i and push_i, at the edge before the command: outputs stand with the command, until the next
//   one.
//
//     edge                  0      1      ..     N      N+1
//     show_i                1      0             0      0
//     push_i, push_warp_i   0      0             1      0
//     cmd_push_o (caller's) 0      0             0      1
//     push_*_o                     event         event  event, warp
//
// - Ports are compared in lockstep, so they are reset. No errors; without show_i, save_i and push_i no
//   register changes.
`default_nettype none
`include "evgpu_defs.vh"

module push_payload (
    input  wire                        clk_i,
    input  wire                        rst_i,
    // warp_take_ctrl
    input  wire                        show_i,
    input  wire                        save_i,
    input  wire                        push_i,
    input  wire [5:0]                  push_warp_i,
    input  wire [`EVG_PEWT_INDEX_BITS-1:0] entry_i,
    // Pending event warp table: the entry
    input  wire [`EVG_EVENT_WIDTH-1:0] event_i,
    // SIMT core
    output wire [`EVG_SAVE_WIDTH-1:0]  save_o,
    output wire [5:0]                  push_warp_o,
    output wire [`EVG_PEWT_INDEX_BITS-1:0] push_entry_o,
    output wire [`EVG_EVENT_WIDTH-1:0] push_event_o
);

    reg [`EVG_SAVE_WIDTH-1:0]      save_q;
    reg [5:0]                      push_warp_q;
    reg [`EVG_PEWT_INDEX_BITS-1:0] entry_q;
    reg [`EVG_EVENT_WIDTH-1:0]     event_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            save_q      <= {`EVG_SAVE_WIDTH{1'b0}};
            push_warp_q <= 6'd0;
        end else begin
            if (save_i) begin
                save_q[`EVG_SAVE_ENTRY] <= entry_q;
                save_q[`EVG_SAVE_REGS]  <= event_q[`EVG_EVENT_REGS];
            end
            if (push_i)
                push_warp_q <= push_warp_i;
        end
    end

    always @(posedge clk_i) begin
        if (rst_i) begin
            entry_q <= {`EVG_PEWT_INDEX_BITS{1'b0}};
            event_q <= {`EVG_EVENT_WIDTH{1'b0}};
        end else if (show_i) begin
            entry_q <= entry_i;
            event_q <= event_i;
        end
    end

    assign save_o       = save_q;
    assign push_warp_o  = push_warp_q;
    assign push_entry_o = entry_q;
    assign push_event_o = event_q;

endmodule

`default_nettype wire
