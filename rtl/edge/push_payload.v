// push_payload: what a SIMT core is told with cmd_save_o and cmd_push_o (EDGE IV-D, Figure 10): the
// entry, the warp and its registers, and the event as the front end sent it.
//
// Contract
// - show_i, any number of edges before a push: entry_* is the event's, of the table's entry entry_i.
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

module push_payload #(
    parameter IndexWidth = 2 // of a table entry
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    // warp_take_ctrl
    input  wire                  show_i,
    input  wire                  save_i,
    input  wire                  push_i,
    input  wire [5:0]            push_warp_i,
    input  wire [IndexWidth-1:0] entry_i,
    // Pending event warp table: the entry
    input  wire [63:0]           entry_kernel_i,
    input  wire [63:0]           entry_param_i,
    input  wire [31:0]           entry_mask_i,
    input  wire [17:0]           entry_dims_i,
    input  wire [6:0]            entry_regs_i,
    input  wire [4:0]            entry_row_i,
    input  wire [15:0]           entry_tag_i,
    // SIMT core
    output wire [IndexWidth-1:0] save_entry_o,
    output wire [6:0]            save_regs_o,
    output wire [5:0]            push_warp_o,
    output wire [IndexWidth-1:0] push_entry_o,
    output wire [63:0]           push_kernel_o,
    output wire [63:0]           push_param_o,
    output wire [31:0]           push_mask_o,
    output wire [17:0]           push_dims_o,
    output wire [6:0]            push_regs_o,
    output wire [4:0]            push_row_o,
    output wire [15:0]           push_tag_o
);

    reg [IndexWidth-1:0] save_entry_q, push_entry_q;
    reg [6:0]            save_regs_q, push_regs_q;
    reg [5:0]            push_warp_q;
    reg [63:0]           kernel_q, param_q;
    reg [31:0]           mask_q;
    reg [17:0]           dims_q;
    reg [4:0]            row_q;
    reg [15:0]           tag_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            save_entry_q <= {IndexWidth{1'b0}};
            save_regs_q  <= 7'd0;
            push_warp_q  <= 6'd0;
        end else begin
            if (save_i) begin
                save_entry_q <= push_entry_q;
                save_regs_q  <= push_regs_q;
            end
            if (push_i)
                push_warp_q <= push_warp_i;
        end
    end

    always @(posedge clk_i) begin
        if (rst_i) begin
            push_entry_q <= {IndexWidth{1'b0}};
            kernel_q     <= 64'd0;
            param_q      <= 64'd0;
            mask_q       <= 32'd0;
            dims_q       <= 18'd0;
            push_regs_q  <= 7'd0;
            row_q        <= 5'd0;
            tag_q        <= 16'd0;
        end else if (show_i) begin
            push_entry_q <= entry_i;
            kernel_q     <= entry_kernel_i;
            param_q      <= entry_param_i;
            mask_q       <= entry_mask_i;
            dims_q       <= entry_dims_i;
            push_regs_q  <= entry_regs_i;
            row_q        <= entry_row_i;
            tag_q        <= entry_tag_i;
        end
    end

    assign save_entry_o  = save_entry_q;
    assign save_regs_o   = save_regs_q;
    assign push_warp_o   = push_warp_q;
    assign push_entry_o  = push_entry_q;
    assign push_kernel_o = kernel_q;
    assign push_param_o  = param_q;
    assign push_mask_o   = mask_q;
    assign push_dims_o   = dims_q;
    assign push_regs_o   = push_regs_q;
    assign push_row_o    = row_q;
    assign push_tag_o    = tag_q;

endmodule

`default_nettype wire
