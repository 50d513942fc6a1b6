// SPDX-License-Identifier: Apache-2.0
// axi_frontend between a driver and devices at its AXI4-Lite slave, a memory behind its AXI4 master, and cores that
// run events. Each channel stalls at random. Compared are every answer and value read, the events, the pointers that
// are read, the flags, the counters and the interrupt; at every edge, what AXI asks of a valid.
`default_nettype none
`include "evgpu_defs.vh"
`include "axi_regs.vh"

module axi_frontend_bench;
    localparam Rounds = 4, Rings = 60, Most = 4096; // accesses or events in all
    localparam [3:0] Aw = 0, W = 1, B = 2, Ar = 3, R = 4, MemAr = 5, MemR = 6, MemAw = 7, MemW = 8, MemB = 9,
                     Stat = 10, Ack = 11, Done = 12;
    localparam [15:0] Device = 16'h0123;
    localparam [63:0] Mapped = `EVG_AXI_REGS_MAPPED;
    localparam [2047:0] Stored = `EVG_AXI_REGS_STORED, Cleared = `EVG_AXI_REGS_CLEARED, Reset = `EVG_AXI_REGS_RESET;

    reg          clk = 1'b0, rst = 1'b1, awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0, ack = 0,
                 mem_arready = 0, mem_rvalid = 0, mem_awready = 0, mem_wready = 0, mem_bvalid = 0, stat_valid = 0,
                 done_valid = 0;
    reg  [33:0]  awaddr; // with the requester
    reg  [17:0]  araddr;
    reg  [35:0]  wdata;  // with the strobes
    reg  [4:0]   mem_rid;
    reg  [63:0]  mem_rdata;
    reg  [1:0]   mem_rresp, mem_bresp;
    reg  [85:0]  done;
    wire         awready, wready, bvalid, arready, rvalid, mem_arvalid, mem_rready, mem_awvalid, mem_wvalid, mem_bready;
    wire         irq, idle, accept, stat_req, ev_valid, done_ready;
    wire [1:0]   bresp;
    wire [33:0]  rdata;
    wire [81:0]  mem_ar, mem_aw; // id, address, length, size, type
    wire [72:0]  mem_w;          // data, strobes, last
    wire [20:0]  accepted;
    wire [2:0]   stat_group;
    wire [213:0] ev; // row, entry, tag, core, kernel, mask, dimensions, registers, priority

    axi_frontend dut (
        .clk_i(clk), .rst_i(rst), .s_awvalid_i(awvalid), .s_awaddr_i(awaddr[17:0]), .s_awuser_i(awaddr[33:18]),
        .s_wvalid_i(wvalid), .s_wdata_i(wdata[31:0]), .s_wstrb_i(wdata[35:32]), .s_bready_i(bready),
        .s_arvalid_i(arvalid), .s_araddr_i(araddr), .s_rready_i(rready), .s_awready_o(awready), .s_wready_o(wready),
        .s_bvalid_o(bvalid), .s_bresp_o(bresp), .s_arready_o(arready), .s_rvalid_o(rvalid), .s_rdata_o(rdata[31:0]),
        .s_rresp_o(rdata[33:32]), .m_arready_i(mem_arready), .m_rvalid_i(mem_rvalid), .m_rid_i(mem_rid),
        .m_rdata_i(mem_rdata), .m_rresp_i(mem_rresp), .m_awready_i(mem_awready), .m_wready_i(mem_wready),
        .m_bvalid_i(mem_bvalid), .m_bresp_i(mem_bresp), .m_arvalid_o(mem_arvalid), .m_arid_o(mem_ar[81:77]),
        .m_araddr_o(mem_ar[76:13]), .m_arlen_o(mem_ar[12:5]), .m_arsize_o(mem_ar[4:2]), .m_arburst_o(mem_ar[1:0]),
        .m_rready_o(mem_rready), .m_awvalid_o(mem_awvalid), .m_awid_o(mem_aw[81:77]), .m_awaddr_o(mem_aw[76:13]),
        .m_awlen_o(mem_aw[12:5]), .m_awsize_o(mem_aw[4:2]), .m_awburst_o(mem_aw[1:0]), .m_wvalid_o(mem_wvalid),
        .m_wdata_o(mem_w[72:9]), .m_wstrb_o(mem_w[8:1]), .m_wlast_o(mem_w[0]), .m_bready_o(mem_bready), .irq_o(irq),
        .idle_o(idle), .stat_valid_i(stat_valid), .stat_group_i(stat_group), .stat_occupancy_i(24'd0),
        .stat_victims_i(24'd0), .stat_busy_i(8'd0), .stat_free_i(8'hff), .stat_fits_i(8'hff), .stat_kept_i(8'd0),
        .stat_levels_i(32'd0), .stat_req_o(stat_req), .stat_req_group_o(stat_group), .stat_req_regs_o(),
        .ab_hit_i(1'b0), .ab_valid_o(), .ab_row_o(), .ab_param_o(), .acc_valid_o(accept), .acc_row_o(accepted[20:16]),
        .acc_tag_o(accepted[15:0]), .ev_ack_i(ack), .ev_valid_o(ev_valid), .ev_row_o(ev[213:209]),
        .ev_param_o(ev[208:145]), .ev_tag_o(ev[144:129]), .ev_core_o(ev[128:123]), .ev_kernel_o(ev[122:59]),
        .ev_mask_o(ev[58:27]), .ev_dims_o(ev[26:9]), .ev_regs_o(ev[8:2]), .ev_priority_o(ev[1:0]), .big_ready_i(1'b0),
        .big_valid_o(), .big_row_o(), .big_param_o(), .big_tag_o(), .big_kernel_o(), .big_dims_o(), .big_shared_o(),
        .big_regs_o(), .big_priority_o(), .done_valid_i(done_valid), .done_aborted_i(done[85]),
        .done_row_i(done[84:80]), .done_param_i(done[79:16]), .done_tag_i(done[15:0]), .done_ready_o(done_ready),
        .keep_cores_o());

    // The contract: what each register reads as; accesses, in their order; the rows of the doorbells to be accepted
    reg  [31:0] want [0:63];
    reg  [71:0] write [0:Most-1]; // answer, strobes, data, requester, address
    reg  [51:0] read [0:Most-1];  // answer, data, address
    reg  [4:0]  ring_row [0:Most-1];
    // Events that run: row, entry, tag. Completions, and their answers: known, error, pointer. Flags: address, data
    reg  [84:0] running [0:Most-1];
    reg  [85:0] completion [0:Most-1];
    reg  [65:0] pointer [0:Most-1];
    reg  [95:0] flag [0:Most-1];
    reg  [31:0] ids = 32'd0; // of reads that have not been answered
    integer     of_id [0:31];
    integer     rung [0:31], launched [0:31]; // of each row
    integer     writes = 0, aws = 0, ws = 0, bs = 0, reads = 0, ars = 0, rs = 0, rings = 0, accepts = 0, runs = 0,
                dones = 0, left = 0, flags = 0, mem_ars = 0, mem_aws = 0, mem_ws = 0, mem_bs = 0, cycle = 0, errors = 0, n, i,
                round, stride;
    reg  [4:0]  row;
    reg  [3:0]  pace [0:15], open = 4'd0; // rows
    reg         rush = 1'b0, refused = 1'b0; // nothing stalls; a doorbell since the counters were 0
    reg         hold_aw, hold_w, hold_ar, hold_done;
    reg  [82:0] stood [0:4];
    wire [82:0] shown [0:4];
    wire [4:0]  taken = {mem_wready, mem_awready, mem_arready, rready, bready};
    assign shown[0] = {80'd0, bresp, bvalid};
    assign shown[1] = {48'd0, rdata, rvalid};
    assign shown[2] = {mem_ar, mem_arvalid};
    assign shown[3] = {mem_aw, mem_awvalid};
    assign shown[4] = {9'd0, mem_w, mem_wvalid};

    function yes(input [3:0] channel);
        yes = rush || ($random & 15) <= pace[channel];
    endfunction
    function [63:0] entry(input [4:0] row, input integer number);
        entry = 64'h21_0000_0040 + {row, 16'd0} + 64 * (number & 15);
    endfunction
    function [63:0] flag_at(input [4:0] row, input integer number);
        flag_at = 64'h900_ffff_fff0 + {row, 12'd0} + 4 * number;
    endfunction
    function [63:0] kernel(input [4:0] row); // with its registers
        kernel = {8'd9 + {3'd0, row}, 43'h123_4567_89ab, row, 8'h40};
    endfunction
    function [639:0] registers(input [4:0] row); // OWNER to BLOCK_Z; 8 * (row + 1) threads
        registers = {32'd2, {27'd0, row} + 32'd1, 32'd4, 32'd1, 32'd1, 32'd1, flag_at(row, 15), flag_at(row, 0),
                     entry(row, 15), 64'd64, entry(row, 0), kernel(row), 32'd0, 14'd0, row[1:0], Device};
    endfunction

    task same(input [8*16-1:0] what, input [383:0] got, input [383:0] wanted);
        if (got !== wanted) begin
            if (errors < 20)
                $display("cycle %0d: %0s %0h instead of %0h", cycle, what, got, wanted);
            errors = errors + 1;
        end
    endtask

    task count(input integer index, input [4:0] status); // an event that a counter has, and what it sets
        begin
            want[index] = want[index] + 1;
            want[`EVG_AXI_IRQ_STATUS_INDEX] = want[`EVG_AXI_IRQ_STATUS_INDEX] | status;
        end
    endtask

    // The memory answers any of the reads: with a good pointer, with none, with a misaligned one or one outside of the
    // window, with an error.
    task answer;
        reg [4:0] row, kind;
        begin
            for (mem_rid = $random; !ids[mem_rid]; mem_rid = mem_rid + 1) ;
            row = completion[of_id[mem_rid]][84:80];
            kind = $random;
            mem_rdata = kind < 2 ? 64'd0 : kind < 4 ? flag_at(row, kind) + kind - 1 : kind == 4 ? flag_at(row, -1) :
                        kind == 5 ? flag_at(row, 16) : flag_at(row, kind & 15);
            mem_rresp = {kind > 27, kind[1]}; // EXOKAY is good too
            pointer[of_id[mem_rid]] = {1'b1, mem_rresp[1], mem_rdata};
            ids[mem_rid] = 1'b0;
        end
    endtask

    // What becomes of the completions, in their order
    task leave;
        reg [63:0] at;
        reg [4:0]  row;
        while (left < dones && pointer[left][65]) begin
            at  = pointer[left][63:0];
            row = completion[left][84:80];
            if (!pointer[left][64] && at != 0 && at[1:0] == 0 && at >= flag_at(row, 0) && at <= flag_at(row, 15)) begin
                flag[flags][95:32] = at;
                flag[flags][31:0]  = completion[left][85] ? `EVG_COMPLETION_ABORTED : `EVG_COMPLETION_DONE;
                flags = flags + 1;
            end else if (pointer[left][64] || at != 0) begin
                count(pointer[left][64] ? `EVG_AXI_NO_ANSWER_INDEX : `EVG_AXI_BAD_POINTER_INDEX, 5'h08);
                want[`EVG_AXI_LOST_INDEX] = {14'd0, pointer[left][64] ? `EVG_FLAG_LOST_ANSWER : `EVG_FLAG_LOST_POINTER,
                                             completion[left][15:0]};
                {want[`EVG_AXI_LOST_ADDR_HI_INDEX], want[`EVG_AXI_LOST_ADDR_LO_INDEX]} = pointer[left][64] ? 64'd0 : at;
            end
            left = left + 1;
        end
    endtask

    // The inputs of the next edge: a valid stays until it is taken
    task drive;
        begin
            awvalid     = awvalid || (aws != writes && yes(Aw));
            wvalid      = wvalid || (ws != writes && yes(W));
            arvalid     = arvalid || (ars != reads && yes(Ar));
            awaddr      = awvalid ? write[aws][33:0] : {$random, $random};
            wdata       = wvalid ? write[ws][69:34] : {$random, $random};
            araddr      = arvalid ? read[ars][17:0] : $random;
            bready      = yes(B);
            rready      = yes(R);
            mem_arready = yes(MemAr);
            mem_awready = yes(MemAw);
            mem_wready  = yes(MemW);
            mem_rvalid  = ids != 0 && yes(MemR);
            if (mem_rvalid)
                answer;
            mem_bvalid  = mem_bs < mem_aws && mem_bs < mem_ws && yes(MemB);
            mem_bresp   = {($random & 7) == 0, mem_bs[0]};
            stat_valid  = stat_req && yes(Stat);
            ack         = ev_valid && yes(Ack);
            if (!done_valid && runs != 0 && yes(Done)) begin
                n    = $unsigned($random) % runs;
                done = {$random, running[n]};
                runs = runs - 1;
                running[n] = running[runs];
                done_valid = 1'b1;
            end
        end
    endtask

    // What the next edge takes
    task take;
        reg [4:0]  row;
        reg [63:0] regs;
        reg        high;
        begin
            for (n = 0; n < 5; n = n + 1) begin
                if (stood[n][0] === 1'b1)
                    same("held", shown[n], stood[n]);
                stood[n] = shown[n][0] && !taken[n] ? shown[n] : 83'd0;
            end
            same("ready", {mem_rready, mem_bready}, 2'b11);
            if (bvalid && bready) begin
                same("early", bs < aws && bs < ws, 1'b1);
                same("answer", bresp, write[bs][71:70]);
                bs = bs + 1;
            end
            if (rvalid && rready) begin
                same("early", rs < ars, 1'b1);
                same("read", {rdata, read[rs][17:0]}, read[rs]);
                rs = rs + 1;
            end
            if (accept) begin
                row = ring_row[accepts];
                same("accepted", {accepts < rings, accepted}, {1'b1, row, row, rung[row][10:0]});
                rung[row] = rung[row] + 1;
                accepts = accepts + 1;
            end
            if (ack) begin
                row = ev[213:209];
                regs = kernel(row);
                same("event", ev, {row, entry(row, launched[row]), row, launched[row][10:0], 6'd10, 8'd0, regs[55:0],
                                   32'hffffffff >> (24 - 8 * row), 6'd2, 6'd1 + row, 6'd4, regs[62:56], row[1:0]});
                same("launched", launched[row] < rung[row], 1);
                running[runs] = ev[213:129];
                launched[row] = launched[row] + 1;
                runs = runs + 1;
            end
            if (done_valid && done_ready) begin
                completion[dones] = done;
                pointer[dones] = 66'd0;
                dones = dones + 1;
                count(`EVG_AXI_COMPLETED_INDEX, 5'h00);
            end
            if (mem_arvalid && mem_arready) begin
                same("pointer read", {mem_ars < dones, ids[mem_ar[81:77]], mem_ar[76:0]},
                     {2'b10, completion[mem_ars][79:16], 8'd0, 3'd3, 2'd1});
                ids[mem_ar[81:77]] = 1'b1;
                of_id[mem_ar[81:77]] = mem_ars;
                mem_ars = mem_ars + 1;
            end
            if (mem_awvalid && mem_awready) begin
                same("flag address", {mem_aws < flags, mem_aw}, {1'b1, 5'd0, flag[mem_aws][95:32], 8'd0, 3'd2, 2'd1});
                mem_aws = mem_aws + 1;
            end
            if (mem_wvalid && mem_wready) begin
                high = flag[mem_ws][34];
                same("flag", {mem_ws < flags, high ? mem_w[72:41] : mem_w[40:9], mem_w[8:0]},
                     {1'b1, flag[mem_ws][31:0], high ? 9'h1e1 : 9'h01f});
                mem_ws = mem_ws + 1;
            end
            if (mem_bvalid) begin
                count(mem_bresp[1] ? `EVG_AXI_BUS_ERRORS_INDEX : `EVG_AXI_FLAGS_INDEX, {mem_bresp[1], 4'd0});
                mem_bs = mem_bs + 1;
            end
            leave;
        end
    endtask

    task step;
        begin
            drive;
            take;
            {hold_aw, hold_w, hold_ar, hold_done} = {awvalid && !awready, wvalid && !wready, arvalid && !arready,
                                                     done_valid && !done_ready};
            aws = aws + (awvalid && awready);
            ws  = ws + (wvalid && wready);
            ars = ars + (arvalid && arready);
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            {awvalid, wvalid, arvalid, done_valid} = {hold_aw, hold_w, hold_ar, hold_done};
            cycle = cycle + 1;
            if (cycle > 100000) begin
                $display("nothing moves");
                $finish;
            end
        end
    endtask

    task offer(input [17:0] address, input [31:0] data, input [3:0] strobe, input [15:0] user, input [1:0] response);
        begin
            write[writes] = {response, strobe, data, user, address};
            writes = writes + 1;
        end
    endtask

    // A register, or a word that is none
    task put(input [15:0] word, input [31:0] data, input [3:0] strobe);
        reg [31:0] bytes, keep, clear;
        begin
            bytes = {{8{strobe[3]}}, {8{strobe[2]}}, {8{strobe[1]}}, {8{strobe[0]}}};
            keep  = Stored >> 32 * word[5:0];
            clear = Cleared >> 32 * word[5:0];
            if (word < 64 && Mapped[word[5:0]])
                want[word[5:0]] = (want[word[5:0]] & ~(bytes & (keep | clear & data))) | (data & bytes & keep);
            if (word == `EVG_AXI_CLEAR_INDEX && data[0] && strobe[0]) begin
                for (n = `EVG_AXI_ACCEPTED_INDEX; n <= `EVG_AXI_SILENT_INDEX; n = n + 1)
                    want[n] = 32'd0;
                refused = 1'b0;
            end
            offer({1'b1, word[14:0], 2'd0}, data, strobe, 16'd0, word < 64 && Mapped[word[5:0]] ? 2'd0 : 2'd2);
        end
    endtask

    // A write to page `row`: what the first line that holds makes of it
    task ring(input [4:0] row, input [9:0] word, input [3:0] strobe, input [15:0] user);
        begin
            offer({1'b0, row, word, 2'd0}, $random, strobe, user, 2'd0);
            n = !open[row] || row > 3 ? `EVG_AXI_UNREGISTERED_INDEX : user != Device ? `EVG_AXI_FOREIGN_INDEX :
                word != 0 || !strobe[0] ? `EVG_AXI_MISALIGNED_INDEX :
                strobe != 4'hf ? `EVG_AXI_BAD_SIZE_INDEX : `EVG_AXI_ACCEPTED_INDEX;
            if (strobe != 0) begin
                ring_row[rings] = row;
                if (n == `EVG_AXI_ACCEPTED_INDEX) begin
                    rings = rings + 1;
                    count(n, 5'h00);
                end else begin
                    count(n, refused ? 5'h00 : 5'h04);
                    refused = 1'b1;
                end
            end
        end
    endtask

    task get(input [15:0] word); // with bit 15 low a doorbell page
        begin
            read[reads] = !word[15] ? {34'd0, word, 2'd0} : word[14:0] < 64 && Mapped[word[5:0]] ?
                          {2'd0, want[word[5:0]], word, 2'd0} : {2'd2, 32'd0, word, 2'd0};
            reads = reads + 1;
        end
    endtask

    task settle;
        begin
            step;
            while (bs != writes || rs != reads || accepts != rings || runs != 0 || done_valid || !idle)
                step;
            repeat (3) step;
            same("interrupt", irq, |(want[`EVG_AXI_IRQ_STATUS_INDEX] & want[`EVG_AXI_IRQ_ENABLE_INDEX]));
        end
    endtask

    task read_all;
        begin
            settle;
            for (n = 0; n < 66; n = n + 1)
                get({1'b1, n[14:0]});
            get(16'hffff);
            settle;
        end
    endtask

    // A command whose answer the interrupt tells of; none of its registers can be written before it.
    task command(input [1:0] op, input [4:0] row, input [2:0] code);
        begin
            put(`EVG_AXI_IRQ_ENABLE_INDEX, 32'd1, 4'hf);
            settle;
            rush = op == `EVG_FRONTEND_CMD_REGISTER;
            put(`EVG_AXI_COMMAND_INDEX, {1'b1, 18'd0, row, 6'd0, op}, 4'hf);
            if (rush)
                offer(18'h20010 + 4 * (cycle % 20), $random, 4'hf, 16'd0, 2'd2);
            while (!irq)
                step;
            rush = 1'b0;
            if (op == `EVG_FRONTEND_CMD_REGISTER && code == 0)
                open[row] = 1'b1;
            if (op == `EVG_FRONTEND_CMD_UNREGISTER && code == 0) begin
                open[row] = 1'b0;
                want[`EVG_AXI_FREED_INDEX][row] = 1'b1;
                want[`EVG_AXI_IRQ_STATUS_INDEX][1] = 1'b1;
            end
            want[`EVG_AXI_IRQ_STATUS_INDEX][0] = 1'b1;
            want[`EVG_AXI_RESULT_INDEX] = {19'd0, row, 1'b0, code, 4'd0};
            want[`EVG_AXI_STATUS_INDEX] = {24'd0, open, 4'd1};
            read_all;
            put(`EVG_AXI_IRQ_STATUS_INDEX, 32'd1, 4'h1);
            settle;
        end
    endtask

    initial begin
        for (i = 0; i < 64; i = i + 1) begin
            want[i] = Reset >> 32 * i;
            {rung[i & 31], launched[i & 31], stood[i % 5]} = 0;
            pace[i & 15] = $random;
        end
        want[`EVG_AXI_STATUS_INDEX] = 32'd1;
        step;
        rst = 1'b0;
        // Words of the map and beside it, in any order, but for a command's go
        for (i = 0; i < 100; i = i + 1)
            put($random & 1 ? $random & 16'h7f : $random & 16'h7fff, $random & 32'h7fffffff, $random);
        read_all;
        put(`EVG_AXI_MODE_INDEX, 32'h00000020, 4'hf); // two groups of cores, of which one core takes events
        put(`EVG_AXI_CORES_LO_INDEX, 32'h00000400, 4'hf);
        put(`EVG_AXI_CORES_HI_INDEX, 32'd0, 4'hf);
        put(`EVG_AXI_FLAG_LIMIT_INDEX, 32'd0, 4'hf);
        for (row = 0; row < 3; row = row + 1) begin
            stride = 2 * ($random & 1) + 7; // no divisor in common with 20: each word comes once
            for (i = 0; i < 20; i = i + 1)
                put(4 + i * stride % 20, registers(row) >> 32 * (i * stride % 20), 4'hf);
            command(`EVG_FRONTEND_CMD_REGISTER, row, `EVG_FRONTEND_CODE_OK);
        end
        put(`EVG_AXI_SIZE_LO_INDEX, 32'd0, 4'hf);
        command(`EVG_FRONTEND_CMD_REGISTER, 5'd0, `EVG_FRONTEND_CODE_BAD_ARGUMENT);
        for (round = 0; round < Rounds; round = round + 1) begin
            for (i = 0; i < 16; i = i + 1)
                pace[i] = $random;
            rush = round == 1;
            put(`EVG_AXI_IRQ_ENABLE_INDEX, $random, 4'h1);
            for (i = 0; i < Rings; i = i + 1) begin
                ring($random & 3, $random & 7 ? 10'd0 : $random, $random & 3 ? 4'hf : $random,
                     $random & 7 ? Device : $random);
                get($random & 1 ? 16'h8004 + ($random & 15) : $random & 16'h7fff); // of a command, or a doorbell page
                repeat ($random & 3) step;
            end
            read_all;
            for (i = 0; i < 5; i = i + 1) begin
                put(`EVG_AXI_IRQ_ENABLE_INDEX, 1 << i, 4'h1);
                settle;
            end
            put(`EVG_AXI_IRQ_STATUS_INDEX, $random, 4'h1);
            read_all;
            if (round == 0) begin
                put(`EVG_AXI_CLEAR_INDEX, 32'd1, 4'h1);
                read_all;
            end
        end
        for (i = `EVG_AXI_ACCEPTED_INDEX; i <= `EVG_AXI_NO_ANSWER_INDEX; i = i + 1)
            if (i != `EVG_AXI_OVERRUN_INDEX && want[i] == 0)
                same("never counted", i, 0);
        put(`EVG_AXI_IRQ_STATUS_INDEX, 32'h1f, 4'h1);
        command(`EVG_FRONTEND_CMD_UNREGISTER, 5'd1, `EVG_FRONTEND_CODE_OK);
        command(`EVG_FRONTEND_CMD_UNREGISTER, 5'd1, `EVG_FRONTEND_CODE_NOT_REGISTERED);
        ring(5'd1, 10'd0, 4'hf, Device);
        read_all;
        $display("%0d cycles, %0d writes, %0d reads, %0d events, %0d flags", cycle, writes, reads, rings, flags);
        if (errors == 0)
            $display("passed");
        $finish;
    end
endmodule

`default_nettype wire
