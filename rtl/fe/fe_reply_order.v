// fe_reply_order: gives replies in the order in which requests left each queue, whatever the order
// in which memory answers.
//
// Contract
// - enter_i in cycle t: a request leaves its queue and takes the place enter_tag_o, {queue, place},
//   which memory returns with its answer. An entry that is done already (an error) needs no answer.
// - room_o: the queue has a place left, of Depth. Registered.
// - answer_i: memory has performed the request of that tag; always taken, in any order. Latency: a
//   reply that is next in its queue and finds the output free is at rsp_* in the second cycle after
//   its answer or its entry.
// - Per queue, replies leave in the order of entry. Of queues whose next reply is ready, they take
//   turns: a ready queue waits for two other replies at most.
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
    input  wire                 enter_i,
    input  wire [1:0]           enter_queue_i,
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
    output wire                 quiet_o
);

    generate
        if (Depth < 2 || (1 << DepthLog2) != Depth || Width < 1) begin : g_check
            fe_reply_order_needs_depth_a_power_of_two_and_depth_log2_its_log2 check_parameters ();
        end
    endgenerate

    localparam [DepthLog2:0] Full = Depth[DepthLog2:0];

    reg [3*Depth-1:0]   done_q; // of a free place: meaningless
    reg [Width-1:0]     storage [0:4*Depth-1];

    wire [3*DepthLog2-1:0] firsts, tails; // places of the queues
    reg  [1:0] last_q; // queue of the last reply
    reg        rsp_valid_q;
    wire [2:0] due;
    reg  [1:0] queue;
    wire       send = due != 0 && (!rsp_valid_q || rsp_ready_i);

    genvar g;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_queue
            wire enter = enter_i && enter_queue_i == g;
            wire leave = send && queue == g;
            reg [DepthLog2-1:0] first_q, tail_q;
            reg [DepthLog2:0]   count_q, count_d;
            reg                 room_q;

            always @* begin
                count_d = count_q;
                if (enter && !leave)
                    count_d = count_q + 1'b1;
                else if (leave && !enter)
                    count_d = count_q - 1'b1;
            end

            always @(posedge clk_i)
                if (rst_i) begin
                    first_q <= {DepthLog2{1'b0}};
                    tail_q  <= {DepthLog2{1'b0}};
                    count_q <= {DepthLog2 + 1{1'b0}};
                    room_q  <= 1'b1;
                end else begin
                    if (leave)
                        first_q <= first_q + 1'b1;
                    if (enter)
                        tail_q <= tail_q + 1'b1;
                    count_q <= count_d;
                    room_q  <= count_d != Full;
                end

            wire [Depth-1:0] done = done_q[g*Depth+:Depth];
            assign due[g]    = count_q != 0 && done[first_q];
            assign room_o[g] = room_q;
            assign firsts[g*DepthLog2+:DepthLog2] = first_q;
            assign tails[g*DepthLog2+:DepthLog2]  = tail_q;
        end
    endgenerate

    // The queue after the last one served goes first.
    always @*
        case (last_q)
        2'd0:    queue = due[1] ? 2'd1 : due[2] ? 2'd2 : 2'd0;
        2'd1:    queue = due[2] ? 2'd2 : due[0] ? 2'd0 : 2'd1;
        default: queue = due[0] ? 2'd0 : due[1] ? 2'd1 : 2'd2;
        endcase

    wire [DepthLog2-1:0] tail  = enter_queue_i == 2'd0 ? tails[0+:DepthLog2]
                               : enter_queue_i == 2'd1 ? tails[DepthLog2+:DepthLog2]
                                                       : tails[2*DepthLog2+:DepthLog2];
    wire [DepthLog2-1:0] first = queue == 2'd0 ? firsts[0+:DepthLog2]
                               : queue == 2'd1 ? firsts[DepthLog2+:DepthLog2]
                                               : firsts[2*DepthLog2+:DepthLog2];
    assign enter_tag_o = {enter_queue_i, tail};

    always @(posedge clk_i) begin
        if (answer_i && answer_tag_i[DepthLog2+:2] != 2'd3)
            done_q[answer_tag_i] <= 1'b1;
        if (enter_i)
            done_q[enter_tag_o] <= enter_done_i;
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
        if (enter_i)
            storage[enter_tag_o] <= enter_data_i;
        if (send) // never what is being stored, so the RAM may do then what it does
            rsp_data_q <= enter_i && enter_tag_o == {queue, first} ? {Width{1'bx}}
                                                                   : storage[{queue, first}];
    end

    assign rsp_valid_o = rsp_valid_q;
    assign rsp_queue_o = last_q;
    assign rsp_data_o  = rsp_data_q;
    assign quiet_o     = !rsp_valid_q && due == 0;

`ifdef FORMAL
    // One entry, chosen when it enters, is followed until its reply: in its turn, not before it is
    // done, and with what it brought.
`ifdef YOSYS
    (* anyseq *) reg f_pick;
`else
    wire f_pick = 1'b1;
`endif
    reg                  f_past_q = 1'b0, f_held_q = 1'b0, f_sent_q = 1'b0, f_done_q;
    reg  [1:0]           f_queue_q;
    reg  [DepthLog2-1:0] f_place_q;
    reg  [DepthLog2:0]   f_ahead_q; // entries of its queue before it
    reg  [Width-1:0]     f_data_q;
    wire [3*DepthLog2+2:0] f_counts;
    wire [DepthLog2+1:0] f_tag   = {f_queue_q, f_place_q};
    wire [DepthLog2-1:0] f_first = firsts[f_queue_q*DepthLog2+:DepthLog2];
    wire [DepthLog2:0]   f_count = f_counts[f_queue_q*(DepthLog2+1)+:DepthLog2+1];
    wire [DepthLog2:0]   f_enter_count =
        f_counts[enter_queue_i*(DepthLog2+1)+:DepthLog2+1];
    wire                 f_leave = send && queue == f_queue_q;

    generate
        for (g = 0; g < 3; g = g + 1) begin : g_formal
            assign f_counts[g*(DepthLog2+1)+:DepthLog2+1] = g_queue[g].count_q;
            always @*
                if (f_past_q) begin
                    assert (g_queue[g].count_q <= Full);
                    assert (g_queue[g].room_q == (g_queue[g].count_q != Full));
                    assert (g_queue[g].tail_q ==
                            g_queue[g].first_q + g_queue[g].count_q[DepthLog2-1:0]);
                end
        end
    endgenerate

    always @(posedge clk_i) begin
        f_past_q <= 1'b1;
        f_sent_q <= !rst_i && f_held_q && f_leave && f_ahead_q == 0;
        if (rst_i)
            f_held_q <= 1'b0;
        else if (!f_held_q && enter_i && f_pick) begin
            f_held_q  <= 1'b1;
            f_queue_q <= enter_queue_i;
            f_place_q <= tail;
            f_data_q  <= enter_data_i;
            f_done_q  <= enter_done_i;
            f_ahead_q <= f_enter_count -
                         {{DepthLog2{1'b0}}, send && queue == enter_queue_i};
        end else if (f_held_q) begin
            if (answer_i && answer_tag_i == f_tag)
                f_done_q <= 1'b1;
            if (f_leave) begin
                f_held_q  <= f_ahead_q != 0;
                f_ahead_q <= f_ahead_q - 1'b1;
            end
        end
    end

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            assert (last_q != 2'd3);
            if (f_held_q) begin
                assert (f_queue_q != 2'd3 && f_ahead_q < f_count);
                assert (f_place_q == f_first + f_ahead_q[DepthLog2-1:0]);
                assert (storage[f_tag] == f_data_q && done_q[f_tag] == f_done_q);
                if (f_leave && f_ahead_q == 0)
                    assert (f_done_q);
            end
            if (f_sent_q)
                assert (rsp_valid_o && rsp_queue_o == f_queue_q && rsp_data_o == f_data_q);
        end
        if (enter_i)
`ifdef FORMAL_FE_REPLY_ORDER
            assume
`else
            assert
`endif
                (enter_queue_i != 2'd3 && room_o[enter_queue_i]);
    end

    always @(posedge clk_i) begin
        cover (f_sent_q && f_queue_q == 2'd2);
        cover (f_held_q && f_done_q && f_ahead_q == 1 && !due[f_queue_q]); // overtaken
    end
`endif

endmodule

`default_nettype wire
