// SPDX-License-Identifier: Apache-2.0
// fe_queue: one of the three strictly ordered request queues (F/E 4.3). Only its head is visible.
//
// Contract
// - push_i stores data_i behind all others; pop_i removes the head. Both may happen in one cycle.
// - The head is a register: an entry pushed into an empty queue in cycle t, or next in line when
//   the head is popped in cycle t, is at data_o with valid_o in cycle t+1. data_o is meaningless
//   while valid_o is low.
//
//     cycle      t    t+1   t+2   t+3   t+4
//     push_i     a    b
//     pop_i      0    0     1     1     0
//     valid_o    0    1     1     1     0
//     data_o     -    a     a     b     -
//
// - ready_o, last_o and count_o are registers; ready_o is low while the queue holds Depth entries,
//   the head among them; last_o is high while it holds one less.
// - Everything behind the head lies in a RAM with a registered read, which infers block RAM.
// - Illegal: push_i while ready_o is low, and pop_i while valid_o is low. Both are ignored: nothing
//   is stored, removed or reordered.
// - Reset empties the queue; the storage keeps its contents.
`default_nettype none
`include "evgpu_defs.vh"

module fe_queue #(
    parameter Width     = 88,
    parameter Depth     = `EVG_FE_QUEUE_DEPTH, // power of two, at least 2
    parameter DepthLog2 = 3                    // log2(Depth)
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // Producer
    input  wire               push_i,
    input  wire [Width-1:0]   data_i,
    output wire               ready_o,
    output wire               last_o,
    // Consumer
    input  wire               pop_i,
    output wire               valid_o,
    output wire [Width-1:0]   data_o,
`ifdef FORMAL_CONTENT
    output wire [Depth*Width-1:0] f_content_o, // all entries, the head in the lowest bits,
    output wire [Depth-1:0]       f_there_o,   // ... and which of them are there
`endif
    output wire [DepthLog2:0] count_o // 0..Depth
);

    generate
        if (Depth < 2 || (1 << DepthLog2) != Depth || Width < 1) begin : g_check
            fe_queue_needs_depth_a_power_of_two_and_depth_log2_its_log2 check_parameters ();
        end
    endgenerate

    localparam [DepthLog2:0] Full = Depth[DepthLog2:0];
    localparam [DepthLog2:0] One  = {{DepthLog2{1'b0}}, 1'b1};
    localparam [DepthLog2:0] Two  = One << 1;

    reg [Width-1:0]     storage [0:Depth-1];
    reg [DepthLog2-1:0] first_q, tail_q; // of the entries behind the head
    reg [DepthLog2:0]   count_q;
    reg                 valid_q, ready_q, last_q;
    reg                 more_q; // there are entries behind the head

    wire push = push_i && ready_q;
    wire pop  = pop_i && valid_q;
    // A pushed entry becomes the head at once if the queue is otherwise empty.
    wire direct = push && (!valid_q || (pop && !more_q));
    wire fetch  = pop_i && more_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            first_q <= {DepthLog2{1'b0}};
            tail_q  <= {DepthLog2{1'b0}};
            count_q <= {DepthLog2 + 1{1'b0}};
            valid_q <= 1'b0;
            ready_q <= 1'b1;
            last_q  <= 1'b0;
            more_q  <= 1'b0;
        end else begin
            if (fetch)
                first_q <= first_q + 1'b1;
            if (push && !direct)
                tail_q <= tail_q + 1'b1;
            if (push && !pop)
                count_q <= count_q + One;
            else if (pop && !push)
                count_q <= count_q - One;
            // pop comes late: compared before it is known, not after.
            valid_q <= push || (pop ? more_q : valid_q);
            if (push != pop) begin
                more_q  <= pop ? count_q > Two : valid_q;
                ready_q <= pop || count_q != Full - One;
                last_q  <= pop ? count_q == Full : count_q == Full - Two;
            end
        end
    end

    reg [Width-1:0] fetched_q, direct_q;
    reg             is_direct_q; // the head has not been in the storage

    always @(posedge clk_i) begin
        if (push) // the tail's place is free, whether the entry stays there or not
            storage[tail_q] <= data_i;
        if (fetch) // never what is being stored, so the RAM may do then what it does
            fetched_q <= push && tail_q == first_q ? {Width{1'bx}} : storage[first_q];
    end

    always @(posedge clk_i) begin
        if (direct)
            direct_q <= data_i;
        if (direct || fetch)
            is_direct_q <= direct;
    end

    assign data_o  = is_direct_q ? direct_q : fetched_q;
    assign valid_o = valid_q;
    assign ready_o = ready_q;
    assign last_o  = last_q;
    assign count_o = count_q;

`ifdef FORMAL
`include "properties/fe_queue.fv.vh"
`endif

endmodule

`default_nettype wire
