// SPDX-License-Identifier: Apache-2.0
// mem_frontend, and inside it fe_dram_scheduler, before a memory that is slow and answers in any order. Requests of
// both sources to two lines fill words, empty them and wait for them. In the order in which requests reach memory,
// each finds its words as its trigger asks, and changes them as its action says; each is answered once, in its
// queue's order, and no earlier than memory has answered. Stalls are counted beside it.
`default_nettype none
`include "evgpu_defs.vh"

module mem_frontend_bench;
    localparam Requests = 3000, Lines = 2, Base = 65536, RegionLines = 64;
    localparam Tags = 128; // queue, place
    localparam [1:0] None = `EVG_FE_TRIGGER_NONE, Full = `EVG_FE_TRIGGER_FULL, Empty = `EVG_FE_TRIGGER_EMPTY;
    localparam [1:0] Fill = `EVG_FE_ACTION_FILL, Drain = `EVG_FE_ACTION_EMPTY;
    localparam [1:0] Ok = `EVG_FE_STATUS_OK, Wrong = `EVG_FE_STATUS_ERROR;

    reg         clk = 1'b0, rst = 1'b1, offer = 1'b0, source = 1'b0, write = 1'b0, answer = 1'b0;
    reg         dram_ready = 1'b0, rsp_ready = 1'b0, read = 1'b0;
    reg  [31:0] line = 32'd0, mask = 32'd0;
    reg  [1:0]  trigger = 2'd0, action = 2'd0;
    reg  [15:0] id = 16'd0;
    reg  [6:0]  answer_tag = 7'd0;
    reg  [3:0]  stalls = 4'd0;
    wire [2:0]  ready, range_state;
    wire        dram_valid, dram_source, dram_write, rsp_valid, rsp_source, ack, irq, idle;
    wire [31:0] dram_line, dram_mask, data;
    wire [15:0] dram_id, rsp_id;
    wire [6:0]  dram_tag;
    wire [1:0]  rsp_status, rsp_queue;
    wire [9:0]  stall_mc, stall_net;
    wire [8:0]  head_state;

    mem_frontend #(.RegionLines(RegionLines)) dut (
        .clk_i(clk), .rst_i(rst), .req_valid_i(offer), .req_line_i(line), .req_mask_i(mask), .req_trigger_i(trigger),
        .req_action_i(action), .req_source_i(source), .req_write_i(write), .req_id_i(id), .req_ready_o(ready),
        .dram_valid_o(dram_valid), .dram_line_o(dram_line), .dram_mask_o(dram_mask), .dram_source_o(dram_source),
        .dram_write_o(dram_write), .dram_id_o(dram_id), .dram_tag_o(dram_tag), .dram_ready_i(dram_ready),
        .answer_valid_i(answer), .answer_tag_i(answer_tag), .rsp_valid_o(rsp_valid), .rsp_id_o(rsp_id),
        .rsp_source_o(rsp_source), .rsp_status_o(rsp_status), .rsp_queue_o(rsp_queue), .rsp_ready_i(rsp_ready),
        .reg_valid_i(1'b0), .reg_write_i(1'b0), .reg_addr_i(5'd0), .reg_data_i(32'd0), .reg_ack_o(ack),
        .reg_data_o(data), .irq_o(irq), .mc_valid_i(stalls[0]), .mc_ready_i(stalls[1]), .net_valid_i(stalls[2]),
        .net_ready_i(stalls[3]), .stall_read_i(read), .stall_mc_o(stall_mc), .stall_net_o(stall_net),
        .head_state_o(head_state), .range_state_o(range_state), .idle_o(idle));

    // Of each request by its id: what it asked for, and how far it is
    reg  [31:0] of_line [0:65535], of_mask [0:65535];
    reg  [1:0]  of_trigger [0:65535], of_action [0:65535], of_queue [0:65535];
    reg         of_source [0:65535], of_write [0:65535], of_error [0:65535], sent [0:65535], answered [0:65535];
    reg  [15:0] order [0:3*65536-1]; // of each queue: the ids in the order in which they were taken
    integer     taken [0:2], replied [0:2];
    reg  [31:0] full [0:Lines-1]; // words
    reg  [Tags-1:0] waiting = {Tags{1'b0}}; // for memory's answer
    reg  [15:0] tag_id [0:Tags-1];
    integer     count = 0, done = 0, errors = 0, edges = 0, q, t, mc = 0, net = 0, counted_mc = 0, counted_net = 0;
    integer     waited = 0, refused = 0;
    reg         accept, in_region, wrong;
    wire [31:0] bits = full[dram_line[0]];

    task fail(input [8*40-1:0] what);
        begin
            $display("edge %0d, request %0d: %0s", edges, count, what);
            errors = errors + 1;
        end
    endtask

    // A request reaches memory.
    task depart;
        begin
            q = {30'd0, of_queue[dram_id]};
            if (sent[dram_id] || of_error[dram_id] || dram_id >= count[15:0])
                fail("a request that memory must not get");
            if (dram_line !== of_line[dram_id] || dram_mask !== of_mask[dram_id] ||
                dram_source !== of_source[dram_id] || dram_write !== of_write[dram_id])
                fail("a request that has changed");
            if (dram_line - Base < Lines) begin
                if ((of_trigger[dram_id] == Full && (bits & dram_mask) != dram_mask) ||
                    (of_trigger[dram_id] == Empty && (bits & dram_mask) != 32'd0))
                    fail("a trigger that does not hold");
                if (of_action[dram_id] == Fill)
                    full[dram_line[0]] = bits | dram_mask;
                if (of_action[dram_id] == Drain)
                    full[dram_line[0]] = bits & ~dram_mask;
            end
            if (waiting[dram_tag])
                fail("a tag that memory still has");
            sent[dram_id]     = 1'b1;
            waiting[dram_tag] = 1'b1;
            tag_id[dram_tag]  = dram_id;
        end
    endtask

    task reply;
        begin
            q = {30'd0, rsp_queue};
            if (rsp_id !== order[65536*q + replied[q]] || replied[q] >= taken[q])
                fail("a reply out of order");
            if (rsp_status !== (of_error[rsp_id] ? Wrong : Ok) || rsp_source !== of_source[rsp_id])
                fail("a reply with another status");
            if (!of_error[rsp_id] && !answered[rsp_id])
                fail("a reply before memory's answer");
            replied[q] = replied[q] + 1;
            done       = done + 1;
        end
    endtask

    // What was offered has been taken.
    task take;
        begin
            in_region = line - Base < RegionLines;
            wrong  = trigger == 2'd3 || action == 2'd3 || (trigger != None && !in_region);
            q      = (wrong || trigger == None) ? 0 : source == `EVG_FE_SOURCE_CPU ? 1 : 2;
            of_line[id]    = line;
            of_mask[id]    = mask;
            of_trigger[id] = trigger;
            of_action[id]  = action;
            of_source[id]  = source;
            of_write[id]   = write;
            of_error[id]   = wrong;
            of_queue[id]   = q[1:0];
            sent[id]       = 1'b0;
            answered[id]   = 1'b0;
            order[65536*q + taken[q]] = id;
            taken[q] = taken[q] + 1;
            count    = count + 1;
            if (wrong)
                refused = refused + 1;
        end
    endtask

    // Random requests; once all are taken, stores without a trigger that fill and empty all words by turns.
    task draw;
        begin
            source  = $random;
            write   = $random;
            id      = count[15:0];
            line    = Base + ($unsigned($random) % Lines);
            mask    = 32'd1 << ($unsigned($random) % 3) | 32'd1 << ($unsigned($random) % 3);
            trigger = $unsigned($random) % 3;
            action  = $unsigned($random) % 3;
            if ($unsigned($random) % 20 == 0)
                line = Base + RegionLines + ($unsigned($random) % 9);
            if ($unsigned($random) % 40 == 0)
                action = 2'd3;
            if (count >= Requests) begin
                line    = Base + {31'd0, count[0]};
                mask    = 32'hf;
                trigger = None;
                action  = count[1] ? Fill : Drain;
            end
        end
    endtask

    task step;
        begin
            // Memory answers any of what it has; the tag of this edge's departure may be among it at the next.
            answer = 1'b0;
            if (waiting != {Tags{1'b0}} && $unsigned($random) % 3 != 0) begin
                answer_tag = $random;
                while (!waiting[answer_tag]) answer_tag = answer_tag + 7'd1;
                answer                       = 1'b1;
                waiting[answer_tag]          = 1'b0;
                answered[tag_id[answer_tag]] = 1'b1;
            end
            dram_ready = $unsigned($random) % 4 != 0;
            rsp_ready  = $unsigned($random) % 4 != 0;
            stalls     = $random;
            read       = $unsigned($random) % 100 == 0;
            if (read) begin
                counted_mc  = counted_mc + {22'd0, stall_mc};
                counted_net = counted_net + {22'd0, stall_net};
            end
            mc  = mc + {31'd0, stalls[0] && !stalls[1]};
            net = net + {31'd0, stalls[2] && !stalls[3]};
            #1;
            if (dram_valid && dram_ready)
                depart;
            if (rsp_valid && rsp_ready)
                reply;
            accept = offer && ready[trigger == None ? 0 : source == `EVG_FE_SOURCE_CPU ? 1 : 2];
            if (accept)
                take;
            clk = 1'b1;
            #1 clk = 1'b0;
            edges = edges + 1;
            // A request before a full queue is withdrawn in favour of another, which may be what the queue waits for.
            if (accept || !offer || $unsigned($random) % 2 == 0) begin
                draw;
                offer = $unsigned($random) % 8 != 0 &&
                        (count < Requests || taken[1] != replied[1] || taken[2] != replied[2]);
            end
        end
    endtask

    initial begin
        for (t = 0; t < 3; t = t + 1) begin
            taken[t]   = 0;
            replied[t] = 0;
        end
        for (t = 0; t < Lines; t = t + 1)
            full[t] = 32'hffffffff;
        #1 clk = 1'b1;
        #1 clk = 1'b0;
        rst = 1'b0;
        while ((count < Requests || done < count) && edges < 200000 && errors < 10)
            step;
        waited = replied[1] + replied[2];
        if (done != count)
            fail("a request is lost");
        $display("%0d edges, %0d requests, %0d with a trigger, %0d refused", edges, count, waited, refused);
        if (waited < Requests / 8 || refused < 50)
            fail("too few requests waited, or were refused");
        if (counted_mc + {22'd0, stall_mc} != mc || counted_net + {22'd0, stall_net} != net)
            fail("a stall is lost");
        if (errors == 0)
            $display("passed");
        $finish;
    end
endmodule

`default_nettype wire
