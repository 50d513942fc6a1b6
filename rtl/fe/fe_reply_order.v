// SPDX-License-Identifier: Apache-2.0
// fe_reply_order: returns replies in the order in which requests left each queue, independent of the
// order in which memory answers.
//
// Contract
// - The bit of enter_i in cycle t: a request leaves that queue, one at a time, and takes the place
//   enter_tag_o, {queue, place}, which memory returns with its answer, in t+1 at the earliest. An
//   entry that is done already (an error) needs no answer.
// - room_o: the queue has a place left, of Depth. Registered.
// - answer_i: memory has performed the request of that tag; always taken, in any order. A reply that is
//   next in its queue and finds the output free:
//
//     cycle                      t         t+1         t+2    t+3     t+4
//     answered                   answer_i              due    rsp_*
//     entered as done (error)    enter_i   stored             due     rsp_*
//     answered at the earliest   enter_i   answer_i           due     rsp_*
//
// - Per queue, replies leave in the order of entry, one every second cycle at most. Of queues whose
//   next reply is ready, they take turns: a ready queue waits for two other replies at most.
// - rsp_* is held until rsp_ready_i. It is meaningless while rsp_valid_o is low.
// - Illegal: enter_i without room; an answer to a tag that nothing in memory has (of queue 3, it is
//   ignored; of a free place, it has no effect).
// - quiet_o: no reply is on its way; without entry and answer no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module fe_reply_order #(
    parameter Depth     = `EVG_FE_REPLY_DEPTH, // places per queue, power of two, at least 2
    parameter DepthLog2 = 5,                   // log2(Depth)
    parameter Width     = 19                   // of what a reply carries
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // Requests that leave
    input  wire [2:0]           enter_i, // of the queues, at most one
    input  wire                 enter_done_i,
    input  wire [Width-1:0]     enter_data_i,
    output wire [DepthLog2+1:0] enter_tag_o,
    output wire [2:0]           room_o,
    // From memory
    input  wire                 answer_i,
    input  wire [DepthLog2+1:0] answer_tag_i,
    // Replies
    output wire                 rsp_valid_o,
    output wire [1:0]           rsp_queue_o,
    output wire [Width-1:0]     rsp_data_o,
    input  wire                 rsp_ready_i,
`ifdef FORMAL
    output wire                 f_follow_o, // what enters now is followed by the properties
    output wire                 f_held_o,   // ... something that has entered is,
    output wire [DepthLog2+1:0] f_tag_o,    // with this tag
    output wire [Width-1:0]     f_data_o,
    output wire                 f_sent_o,   // ... and is shown for the first time
`endif
    output wire                 quiet_o
);

    generate
        if (Depth < 2 || (1 << DepthLog2) != Depth || Width < 1) begin : g_check
            fe_reply_order_needs_depth_a_power_of_two_and_depth_log2_its_log2 check_parameters ();
        end
    endgenerate

    localparam [DepthLog2:0] Full = Depth[DepthLog2:0];

    reg [Width-1:0]     storage [0:4*Depth-1];

    // An entry is stored in the cycle after it enters.
    reg                 store_q, store_done_q;
    reg [DepthLog2+1:0] store_tag_q;
    reg [Width-1:0]     store_data_q;

    wire [3*DepthLog2-1:0] firsts, tails; // places of the queues
    reg  [1:0] last_q; // queue of the last reply
    reg        rsp_valid_q;
    reg  [2:0] due_q; // the first of the queue can be sent
    wire [2:0] due_d;
    reg  [1:0] queue;
    wire       send = due_q != 0 && (!rsp_valid_q || rsp_ready_i);

    genvar g, p;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_queue
            localparam [DepthLog2:0] One = {{DepthLog2{1'b0}}, 1'b1};
            wire leave = send && queue == g;
            reg [DepthLog2-1:0] first_q, tail_q;
            reg [DepthLog2:0]   count_q;
            reg                 room_q;

            always @(posedge clk_i)
                if (rst_i) begin
                    first_q <= {DepthLog2{1'b0}};
                    tail_q  <= {DepthLog2{1'b0}};
                    count_q <= {DepthLog2 + 1{1'b0}};
                    room_q  <= 1'b1;
                end else begin
                    if (leave)
                        first_q <= first_q + 1'b1;
                    if (enter_i[g])
                        tail_q <= tail_q + 1'b1;
                    if (enter_i[g] && !leave)
                        count_q <= count_q + One;
                    else if (leave && !enter_i[g])
                        count_q <= count_q - One;
                    room_q <= leave || (enter_i[g] ? count_q != Full - One : count_q != Full);
                end

            reg [Depth-1:0] done_q; // of a free place: meaningless
            wire storing = store_q && store_tag_q[DepthLog2+:2] == g;
            assign due_d[g]  = due_q[g] || (count_q > {{DepthLog2{1'b0}}, storing} &&
                                            done_q[first_q]);

            wire answered = answer_i && answer_tag_i[DepthLog2+:2] == g;
            for (p = 0; p < Depth; p = p + 1) begin : g_place // each its own: no wide shift
                always @(posedge clk_i)
                    if (answered && answer_tag_i[DepthLog2-1:0] == p)
                        done_q[p] <= 1'b1; // also of what is being stored
                    else if (storing && store_tag_q[DepthLog2-1:0] == p)
                        done_q[p] <= store_done_q;
            end
            assign room_o[g] = room_q;
            assign firsts[g*DepthLog2+:DepthLog2] = first_q;
            assign tails[g*DepthLog2+:DepthLog2]  = tail_q;

            always @(posedge clk_i)
                due_q[g] <= !rst_i && !leave && due_d[g];
        end
    endgenerate

    // The queue after the last one served goes first.
    always @*
        case (last_q)
        2'd0:    queue = due_q[1] ? 2'd1 : due_q[2] ? 2'd2 : 2'd0;
        2'd1:    queue = due_q[2] ? 2'd2 : due_q[0] ? 2'd0 : 2'd1;
        default: queue = due_q[0] ? 2'd0 : due_q[1] ? 2'd1 : 2'd2;
        endcase

    wire [DepthLog2-1:0] first = queue == 2'd0 ? firsts[0+:DepthLog2]
                               : queue == 2'd1 ? firsts[DepthLog2+:DepthLog2]
                                               : firsts[2*DepthLog2+:DepthLog2];
    assign enter_tag_o = enter_i[2] ? {2'd2, tails[2*DepthLog2+:DepthLog2]}
                       : enter_i[1] ? {2'd1, tails[DepthLog2+:DepthLog2]}
                                    : {2'd0, tails[0+:DepthLog2]};

    always @(posedge clk_i) begin
        store_q <= !rst_i && enter_i != 0;
        if (enter_i != 0) begin
            store_done_q <= enter_done_i;
            store_tag_q  <= enter_tag_o;
            store_data_q <= enter_data_i;
        end
    end

    always @(posedge clk_i)
        if (rst_i) begin
            rsp_valid_q <= 1'b0;
            last_q      <= 2'd2;
        end else if (send) begin
            rsp_valid_q <= 1'b1;
            last_q      <= queue;
        end else if (rsp_ready_i)
            rsp_valid_q <= 1'b0;

    reg [Width-1:0] rsp_data_q;
    always @(posedge clk_i) begin
        if (store_q)
            storage[store_tag_q] <= store_data_q;
        if (send) // never what is being stored, so the RAM may do then what it does
            rsp_data_q <= store_q && store_tag_q == {queue, first} ? {Width{1'bx}}
                                                                   : storage[{queue, first}];
    end

    assign rsp_valid_o = rsp_valid_q;
    assign rsp_queue_o = last_q;
    assign rsp_data_o  = rsp_data_q;
    assign quiet_o     = !rsp_valid_q && due_d == 0 && !store_q;

`ifdef FORMAL
`include "properties/fe_reply_order.fv.vh"
`endif

endmodule

`default_nettype wire
