// SPDX-License-Identifier: Apache-2.0
// sync_fifo: first-in first-out queue with the oldest entry always visible.
//
// Contract
// - push_i stores data_i; pop_i removes the entry shown at data_o. Both may happen in one cycle,
//   also when the queue is full or holds one entry.
// - An entry pushed in cycle t is visible (and empty_o low) in cycle t+1; there is no bypass.
//
//     cycle      t     t+1     t+2     t+3
//     push_i     1     0       0       0
//     empty_o    1     0       0       1
//     data_o     -     first   first   -
//     pop_i      0     0       1       0
//
// - full_o, empty_o and count_o are registers. data_o is a read of the storage at a register; it is
//   meaningless while empty_o is high.
// - Illegal: push_i while full_o without pop_i, and pop_i while empty_o. Both are ignored: nothing
//   is stored, removed or reordered.
// - Reset empties the queue; the storage keeps its contents.
`default_nettype none

module sync_fifo #(
    parameter Width      = 8,
    parameter Depth      = 16, // power of two, at least 2
    parameter DepthLog2  = 4   // log2(Depth)
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // Producer
    input  wire               push_i,
    input  wire [Width-1:0]   data_i,
    output wire               full_o,
    // Consumer
    input  wire               pop_i,
    output wire [Width-1:0]   data_o,
    output wire               empty_o,
    output wire [DepthLog2:0] count_o  // 0..Depth
);

    generate
        if (Depth < 2 || (1 << DepthLog2) != Depth || Width < 1) begin : g_check
            sync_fifo_needs_depth_a_power_of_two_and_depth_log2_its_log2 check_parameters ();
        end
    endgenerate

    localparam [DepthLog2:0] Full = Depth[DepthLog2:0];
    localparam [DepthLog2:0] One  = {{DepthLog2{1'b0}}, 1'b1};

    reg [Width-1:0]     storage [0:Depth-1];
    reg [DepthLog2-1:0] head_q, tail_q;
    reg [DepthLog2:0]   count_q;
    reg                 full_q, empty_q;

    wire pop  = pop_i && !empty_q;
    wire push = push_i && (!full_q || pop);

    reg [DepthLog2:0] count_d;
    always @* begin
        count_d = count_q;
        if (push && !pop)
            count_d = count_q + 1'b1;
        else if (pop && !push)
            count_d = count_q - 1'b1;
    end

    always @(posedge clk_i) begin
        if (rst_i) begin
            head_q  <= {DepthLog2{1'b0}};
            tail_q  <= {DepthLog2{1'b0}};
            count_q <= {DepthLog2 + 1{1'b0}};
            full_q  <= 1'b0;
            empty_q <= 1'b1;
        end else begin
            if (pop)
                head_q <= head_q + 1'b1;
            if (push)
                tail_q <= tail_q + 1'b1;
            count_q <= count_d;
            if (push != pop) begin
                full_q  <= push && count_q == Full - 1'b1;
                empty_q <= pop && count_q == One;
            end
        end
    end

    always @(posedge clk_i)
        if (push)
            storage[tail_q] <= data_i;

    assign data_o  = storage[head_q];
    assign full_o  = full_q;
    assign empty_o = empty_q;
    assign count_o = count_q;

`ifdef FORMAL
`include "properties/sync_fifo.fv.vh"
`endif

endmodule

`default_nettype wire
