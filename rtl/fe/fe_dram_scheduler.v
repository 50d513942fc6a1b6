// fe_dram_scheduler: requests wait here until the words they name are full or empty (F/E 4.3, 6.3).
//
// Contract
// - A request is one line of LineBytes with a mask of its 4-byte words, a trigger (NONE, FULL,
//   EMPTY), an action (NONE, FILL, EMPTY), its source and an id. It is taken in a cycle with
//   req_valid_i and the bit of req_ready_o that belongs to it, as its trigger and source say:
//   bit 0 without a trigger, bit 1 with one from the CPU, bit 2 with one from the GPU.
//   req_valid_i may be withdrawn; req_ready_o does not depend on what is offered.
// - Three strictly ordered queues of QueueDepth entries: NON (no trigger), CPU and GPU (triggered).
//   Only their heads are looked at, and of the GPU queue its first LookAhead requests (fe_look_ahead),
//   each of which can leave past others that are blocked, but not past one for the same line; all
//   that is said of a head here is said of the oldest that can leave. A trigger over several words
//   holds when all of them agree; an empty mask always agrees. A blocked head is looked at again when
//   an action or a range command touches its line, and at no other time (fe_head).
// - A full/empty bit stands for a grain of GrainBytes, 4 (F/E 4.2) to a line (F/E 9). Actions and
//   ranges fill and empty words, as masks and word numbers say; a grain is full when all its words
//   are, and that is what triggers look at: FULL holds when every grain of which the mask has a word
//   is full, EMPTY when none is. So what is filled in parts can be read when its last part is there,
//   never before, and to empty a word empties its grain for all readers, until that word is filled
//   again. Words of part-full grains are remembered for some lines only (PartLines, fe_bit_ram): words
//   that are forgotten are as if they had been emptied, and must be filled again; register LOST
//   counts where this was met. It can make a reader wait for ever; it never lets one go early.
// - A request leaves when it moves to the memory side in cycle t; dram_* shows it from cycle t+1 on
//   and holds it until dram_ready_i. In cycles t and t+1 its trigger holds, and its action is done at
//   the end of t+1: every request leaves once, and its bits change then and only then. One request
//   leaves per cycle at most, of one queue one every second cycle, and of those with an action too.
//   Empty mask or action NONE: no bit changes.
// - A head is ready if its trigger holds, its queue has one of ReplyDepth places for replies free,
//   dram_* is free or being taken (or it is an error, which does not go there), and no range command
//   stands against it: with an action, none that works on a row; with a trigger, none that writes in
//   this cycle. So an override by words (FILL, EMPTY) lets any head leave in one of 4 cycles, and a
//   CLEAR lets those without trigger and action leave all the time, and others when it is over.
// - A ready head can leave, except a head with a trigger or an action in the cycle after one with an
//   action has left, because the bits are written then. No queue waits for another, except that
//   while NON is full, no request with a trigger is taken (it might be outside the region, see
//   below).
// - Priority among heads that can leave: NON, CPU, GPU (F/E 6.3). A triggered head that was ready in
//   TurnLimit cycles in which another left goes first; if there are two such, the one whose queue did
//   not have this right the last time. So, counting cycles in which it could leave, a CPU or GPU head
//   is passed by at most TurnLimit + 1 others, and a NON head by 2 (with an action, and while a range
//   command runs: by 2 between two rows). Actions hold a ready head back in no two cycles in a row,
//   and what passes it meanwhile counts for its turn; it is passed by TurnLimit + 3 in all at most.
//   During an override by words only the cycle of 4 that all heads have in common is sure to count:
//   a CPU or GPU head is passed by 4 (TurnLimit + 2) at most.
// - Latency from being taken in cycle t, with empty queues: without trigger and action the request
//   leaves in t+3, with an action in t+4, with a trigger that holds in t+5 (fe_head). A head blocked
//   by a word that is filled in cycle t (by a request that has left in t-1) leaves in t+2. In a GPU
//   queue with LookAhead above 1, both are later: t+7 and t+3.
// - Region: the RegionLines lines from line RegionBase on. Outside of it, a request has no bits: it
//   goes through NON and its action is ignored. With a trigger it is an error: it leaves through
//   NON, does not reach memory, and is answered ERROR and counted as it leaves. So is a request
//   whose trigger or action has no meaning (3), inside or outside. It too is taken only while the
//   queue of its trigger and source has room, since ready does not depend on the address.
// - Memory answers each request it got with its dram_tag_o, in any order, in the cycle in which it
//   takes it at the earliest; one answer per cycle is always taken. Replies (rsp_*) carry id, source
//   and status and come in the order in which the requests left their queue, per queue one every
//   second cycle (fe_reply_order); a reply's place is free again once it is shown. Memory must
//   perform requests for one line in the order in which they left.
// - After reset all bits are filled, one line per cycle; req_ready_o is 0 for these RegionLines
//   cycles and one more.
// - Registers: see fe_registers; ranges: see fe_range. RELEASE, written in cycle t, lets every
//   triggered request taken up to t-1 leave in its turn whether its trigger holds or not; its action
//   is done. Where it did not hold the reply is RELEASED instead of OK.
// - The bit RAM is read by one at a time: a range command, NON, CPU, GPU, in this order.
// - Actions and range commands that meet: the range writes first.
// - Illegal: an answer to a tag that memory does not have.
// - quiet_o: nothing is inside but blocked heads without time-out and requests that are in memory;
//   without a request, an answer or a register access no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module fe_dram_scheduler #(
    parameter LineBytes      = `EVG_FE_LINE_BYTES,   // power of two, 8 to 128
    parameter GrainBytes     = `EVG_FE_GRAIN_BYTES,  // per full/empty bit: power of two, 4 to LineBytes
    parameter PartLines      = `EVG_FE_PART_LINES,   // power of two, 2 up to RegionLines; not with 4
    parameter RegionBase     = `EVG_FE_REGION_BASE,  // line number
    parameter RegionLines    = `EVG_FE_REGION_LINES, // 2 or more, up to 2^31 words
    parameter QueueDepth     = `EVG_FE_QUEUE_DEPTH,  // power of two, at least 2
    parameter QueueDepthLog2 = 3,
    parameter ReplyDepth     = `EVG_FE_REPLY_DEPTH,  // per queue, power of two, at least 2
    parameter ReplyDepthLog2 = 5,
    parameter TurnLimit      = `EVG_FE_TURN_LIMIT,   // 2 to 255
    parameter LookAhead      = `EVG_FE_LOOK_AHEAD,   // heads of the GPU queue, 1 to 8 and to QueueDepth
    parameter LineBits       = 32,                   // of a line number, more than log2(RegionLines)
    parameter IdBits         = `EVG_FE_ID_BITS,      // up to 16
    parameter ErrorBits      = 32,                   // of register ERRORS, 1 to 32
    parameter Words          = LineBytes / `EVG_FE_WORD_BYTES // derived, do not set
) (
    input  wire                            clk_i,
    input  wire                            rst_i,
    // Requests
    input  wire                            req_valid_i,
    input  wire [LineBits-1:0]             req_line_i,
    input  wire [Words-1:0]                req_mask_i,
    input  wire [1:0]                      req_trigger_i, // fe_trigger
    input  wire [1:0]                      req_action_i,  // fe_action
    input  wire                            req_source_i,  // fe_source
    input  wire                            req_write_i,
    input  wire [IdBits-1:0]               req_id_i,
    output wire [2:0]                      req_ready_o,
    // To the memory channel
    output wire                            dram_valid_o,
    output wire [LineBits-1:0]             dram_line_o,
    output wire [Words-1:0]                dram_mask_o,
    output wire                            dram_source_o,
    output wire                            dram_write_o,
    output wire [IdBits-1:0]               dram_id_o,
    output wire [ReplyDepthLog2+1:0]       dram_tag_o, // queue, place
    input  wire                            dram_ready_i,
    // From the memory channel
    input  wire                            answer_valid_i,
    input  wire [ReplyDepthLog2+1:0]       answer_tag_i,
    // Replies
    output wire                            rsp_valid_o,
    output wire [IdBits-1:0]               rsp_id_o,
    output wire                            rsp_source_o,
    output wire [`EVG_FE_STATUS_WIDTH-1:0] rsp_status_o,
    output wire [1:0]                      rsp_queue_o,
    input  wire                            rsp_ready_i,
    // Registers
    input  wire                            reg_valid_i,
    input  wire                            reg_write_i,
    input  wire [`EVG_FE_REG_WIDTH-1:0]    reg_addr_i,
    input  wire [31:0]                     reg_data_i,
    output wire                            reg_ack_o,
    output wire [31:0]                     reg_data_o,
    output wire                            irq_o,
    // For waveforms and the watchdog
    output wire [3*`EVG_FE_HEAD_WIDTH-1:0] head_state_o, // NON in the lowest bits
    output wire [`EVG_FE_RANGE_WIDTH-1:0]  range_state_o,
    output wire                            quiet_o
);

    localparam RowBits  = $clog2(RegionLines);
    localparam WordBits = $clog2(Words);
    localparam GrainWords = GrainBytes / `EVG_FE_WORD_BYTES;
    localparam Non = 0, Cpu = 1, Gpu = 2;
    localparam [31:0] RegionFirst = RegionBase, RegionSize = RegionLines;
    localparam [32:0] RegionEnd   = 33'd0 + RegionFirst + RegionSize;

    generate
        if (LineBytes < 8 || LineBytes > 128 || (1 << $clog2(LineBytes)) != LineBytes ||
            Words * `EVG_FE_WORD_BYTES != LineBytes || RegionLines < 2 || LineBits > 32 ||
            RowBits >= LineBits || TurnLimit < 2 || TurnLimit > 255 || IdBits < 1 ||
            IdBits > 16 || GrainWords < 1 || GrainWords > Words ||
            GrainWords * `EVG_FE_WORD_BYTES != GrainBytes) begin : g_check
            fe_dram_scheduler_needs_lines_of_8_to_128_bytes_and_fields_that_fit check_parameters ();
        end
        if (RegionEnd > (33'd1 << LineBits)) begin : g_check_base
            fe_dram_scheduler_needs_a_region_within_its_line_numbers check_parameters ();
        end
    endgenerate

    // --- intake ----------------------------------------------------------------------------------
    localparam [LineBits-1:0] Base      = RegionFirst[LineBits-1:0];
    localparam [LineBits-1:0] LinesWide = RegionSize[LineBits-1:0];

    wire [LineBits-1:0] offset = req_line_i - Base;
    wire in_region      = offset < LinesWide;
    wire has_trigger = req_trigger_i != `EVG_FE_TRIGGER_NONE;
    wire has_action  = req_action_i != `EVG_FE_ACTION_NONE;
    wire is_error    = (has_trigger && !in_region) || req_trigger_i == 2'd3 || req_action_i == 2'd3;
    wire needs_bits  = in_region && !is_error && (has_trigger || has_action);

    wire [2:0] declared = !has_trigger ? 3'b001
                        : req_source_i == `EVG_FE_SOURCE_CPU ? 3'b010 : 3'b100;
    wire       take     = req_valid_i && (declared & req_ready_o) != 0;
    wire [2:0] push     = !take ? 3'b000 : is_error ? 3'b001 : declared;
    reg  [2:0] push_q; // what was taken enters its queue in the next cycle

    // Fields of a queue entry
    localparam LineLsb = 0, MaskLsb = LineLsb + LineBits, IdLsb = MaskLsb + Words,
               TriggerLsb = IdLsb + IdBits, ActionLsb = TriggerLsb + 2, SourceLsb = ActionLsb + 2,
               WriteLsb = SourceLsb + 1, BitsLsb = WriteLsb + 1, ErrorLsb = BitsLsb + 1,
               EntryBits = ErrorLsb + 1;

    wire [EntryBits-1:0] entry = {is_error, needs_bits, req_write_i, req_source_i, req_action_i,
                                  req_trigger_i, req_id_i, req_mask_i, req_line_i};
    reg  [EntryBits-1:0] entry_q;

    always @(posedge clk_i) begin
        push_q <= rst_i ? 3'b000 : push;
        if (take)
            entry_q <= entry;
    end

    // --- queues and their heads ------------------------------------------------------------------
    localparam InfoBits = `EVG_FE_INFO_ACTION + 2;

    wire [2:0]             queue_ready, queue_last, head_valid, head_error, leave;
    wire [2:0]             head_acts, head_uses, head_stopped; // stopped: by a range command
    wire [2:0]             shown;  // item is one that could leave; with one head, if there is one
    wire                   unused_shown = ^shown; // but in proofs
    wire [2:0]             timed_leaves, releasing, still;
    wire [3*EntryBits-1:0] head;
    wire [3*RowBits-1:0]   head_row, look_row;
    wire [3*LineBits-1:0]  head_line;
    wire [3*Words-1:0]     head_mask, head_bits;
    wire [3*InfoBits-1:0]  head_info;
    wire [2:0]             look, look_grant, pass, blocked, released;
    wire [Words-1:0]       ram_bits;
    wire                   bits_write, bits_mixed, bits_lost;
    wire [RowBits-1:0]     bits_row;
    wire [Words-1:0]       bits_new;
    wire                   release_all;
    wire                   range_busy, range_read, range_write, range_start;
    wire                   range_next_write, range_next_hold;
    wire [RowBits-1:0]     range_row;

`ifdef FORMAL
    // Proofs look at one row of the region, whichever it is.
`ifdef YOSYS
    (* anyconst *) reg [RowBits-1:0] f_row;
`else
    wire [RowBits-1:0] f_row = {RowBits{1'b0}};
`endif
    wire [Words-1:0] f_bits;
`endif

    genvar g;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_queue
            wire [QueueDepthLog2:0] count;
            wire [EntryBits-1:0]    item, timed; // the head; the one whose time runs out
            wire [15:0]             id;
            // NON has none: an error keeps its trigger for the report of a time-out only.
            wire [1:0]              trigger = g == Non ? `EVG_FE_TRIGGER_NONE : item[TriggerLsb+:2];

            assign head[g*EntryBits+:EntryBits]    = item;
            assign head_row[g*RowBits+:RowBits]    = item[LineLsb+:RowBits] - Base[RowBits-1:0];
            assign head_line[g*LineBits+:LineBits] = timed[LineLsb+:LineBits];
            assign head_mask[g*Words+:Words]       = timed[MaskLsb+:Words];
            assign id = {{16 - IdBits{1'b0}}, timed[IdLsb+:IdBits]};
            assign head_info[g*InfoBits+:InfoBits] = {timed[ActionLsb+:2], timed[TriggerLsb+:2],
                                                      timed[WriteLsb], timed[SourceLsb], g[1:0], id};

            if (g != Gpu || LookAhead == 1) begin : g_plain
                wire acts      = item[BitsLsb] && item[ActionLsb+:2] != `EVG_FE_ACTION_NONE;
                wire triggered = item[BitsLsb] && trigger != `EVG_FE_TRIGGER_NONE;
                // Of a head that has been here for a cycle, as every head that can leave has
                reg error_q, acts_q, uses_q, stopped_q;
                always @(posedge clk_i) begin
                    error_q   <= g == Non && item[ErrorLsb]; // the others have none
                    acts_q    <= acts;
                    uses_q    <= acts || triggered;
                    stopped_q <= (acts && range_next_hold) || (triggered && range_next_write);
                end
                assign head_error[g]   = error_q;
                assign head_acts[g]    = acts_q;
                assign head_uses[g]    = uses_q;
                assign head_stopped[g] = stopped_q;

                fe_queue #(
                    .Width(EntryBits), .Depth(QueueDepth), .DepthLog2(QueueDepthLog2)
                ) u_queue (
                    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_q[g]), .data_i(entry_q),
                    .ready_o(queue_ready[g]), .last_o(queue_last[g]), .pop_i(leave[g]),
                    .valid_o(head_valid[g]), .data_o(item), .count_o(count)
                );

                fe_head #(
                    .RowBits(RowBits), .Words(Words), .GrainWords(GrainWords), .PartLines(PartLines)
                ) u_head (
                    .clk_i(clk_i), .rst_i(rst_i), .valid_i(head_valid[g]), .bits_i(item[BitsLsb]),
                    .row_i(head_row[g*RowBits+:RowBits]), .mask_i(item[MaskLsb+:Words]),
                    .trigger_i(trigger), .leave_i(leave[g]), .look_o(look[g]),
                    .look_grant_i(look_grant[g]), .ram_bits_i(ram_bits), .write_i(bits_write),
                    .write_row_i(bits_row), .write_bits_i(bits_new), .write_mixed_i(bits_mixed),
                    .pass_o(pass[g]), .blocked_o(blocked[g]),
                    .row_bits_o(head_bits[g*Words+:Words]),
                    .state_o(head_state_o[g*`EVG_FE_HEAD_WIDTH+:`EVG_FE_HEAD_WIDTH])
                );
                assign timed         = item;
                assign shown[g]      = head_valid[g];
                assign look_row[g*RowBits+:RowBits] = head_row[g*RowBits+:RowBits];
                assign timed_leaves[g] = leave[g];
                assign releasing[g]  = released[g];
                assign still[g]      = !head_valid[g] || (blocked[g] && !released[g]);
            end else begin : g_ahead
                reg held_q, written_q; // by a range command
                always @(posedge clk_i) begin
                    held_q    <= range_next_hold;
                    written_q <= range_next_write;
                end
                assign head_error[g]   = 1'b0;
                assign head_uses[g]    = 1'b1;
                assign head_stopped[g] = (head_acts[g] && held_q) || written_q;
                assign count           = {QueueDepthLog2 + 1{1'b0}}; // its own concern
                wire unused_head       = ^{trigger, head_row[g*RowBits+:RowBits]};

                fe_look_ahead #(
                    .Width(EntryBits), .Depth(QueueDepth), .DepthLog2(QueueDepthLog2),
                    .LookAhead(LookAhead), .RowBits(RowBits), .Words(Words),
                    .GrainWords(GrainWords), .PartLines(PartLines), .FirstRow(RegionBase),
                    .LineLsb(LineLsb), .MaskLsb(MaskLsb), .TriggerLsb(TriggerLsb),
                    .ActionLsb(ActionLsb)
                ) u_look_ahead (
                    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_q[g]), .data_i(entry_q),
                    .ready_o(queue_ready[g]), .last_o(queue_last[g]), .valid_o(head_valid[g]),
                    .chosen_o(shown[g]), .data_o(item), .acts_o(head_acts[g]), .pass_o(pass[g]),
                    .blocked_o(blocked[g]), .released_o(released[g]), .leave_i(leave[g]),
                    .row_bits_o(head_bits[g*Words+:Words]), .oldest_data_o(timed),
                    .oldest_leaves_o(timed_leaves[g]),
                    .oldest_state_o(head_state_o[g*`EVG_FE_HEAD_WIDTH+:`EVG_FE_HEAD_WIDTH]),
                    .release_i(release_all), .releasing_o(releasing[g]), .look_o(look[g]),
                    .look_row_o(look_row[g*RowBits+:RowBits]), .look_grant_i(look_grant[g]),
                    .ram_bits_i(ram_bits), .write_i(bits_write), .write_row_i(bits_row),
                    .write_bits_i(bits_new), .write_mixed_i(bits_mixed),
`ifdef FORMAL
                    .f_row_i(f_row), .f_bits_i(f_bits),
`endif
                    .still_o(still[g])
                );
            end

            // Requests from the head on that leave whatever their trigger says
            if (g == Cpu || (g == Gpu && LookAhead == 1)) begin : g_release
                reg [QueueDepthLog2:0] release_q;
                reg                    released_q; // release_q is not 0
                wire [QueueDepthLog2:0] left = {{QueueDepthLog2{1'b0}}, leave[g]};

                always @(posedge clk_i)
                    if (rst_i) begin
                        release_q  <= {QueueDepthLog2 + 1{1'b0}};
                        released_q <= 1'b0;
                    end else if (release_all) begin
                        release_q  <= count - left;
                        released_q <= count != left;
                    end else if (released_q) begin
                        release_q  <= release_q - left;
                        released_q <= release_q != left;
                    end

                assign released[g] = released_q;
            end else begin : g_no_release
                wire unused_count = ^count;
                if (g == Non) begin : g_non
                    assign released[g] = 1'b0;
                end
            end
        end
    endgenerate

    // --- the bit RAM: range commands before heads, NON before CPU before GPU ---------------------
    wire [Words-1:0]    range_bits;
    wire [`EVG_FE_COMMAND_WIDTH-1:0] range_command;
    wire [RowBits+WordBits-1:0] range_first, range_last;

    assign look_grant = range_read ? 3'b000
                      : look & (~look + 3'd1); // the lowest

    wire [RowBits-1:0] read_row = range_read      ? range_row
                                : look_grant[Non] ? look_row[Non*RowBits+:RowBits]
                                : look_grant[Cpu] ? look_row[Cpu*RowBits+:RowBits]
                                                  : look_row[Gpu*RowBits+:RowBits];

    fe_bit_ram #(
        .Lines(RegionLines), .RowBits(RowBits), .Words(Words), .GrainWords(GrainWords),
        .PartLines(PartLines)
    ) u_bits (
        .clk_i(clk_i), .read_i(range_read || look != 0), .read_row_i(read_row),
`ifdef FORMAL
        .f_row_i(f_row), .f_bits_o(f_bits),
`endif
        .bits_o(ram_bits), .lost_o(bits_lost), .write_i(bits_write), .write_row_i(bits_row),
        .write_bits_i(bits_new), .mixed_o(bits_mixed)
    );

    fe_range #(
        .Lines(RegionLines), .RowBits(RowBits), .Words(Words), .WordBits(WordBits)
    ) u_range (
        .clk_i(clk_i), .rst_i(rst_i), .start_i(range_start), .command_i(range_command),
        .first_i(range_first), .last_i(range_last), .busy_o(range_busy), .read_o(range_read),
        .write_o(range_write), .next_write_o(range_next_write), .next_hold_o(range_next_hold),
        .row_o(range_row), .ram_bits_i(ram_bits),
        .write_bits_o(range_bits), .state_o(range_state_o)
    );

    // Requests are taken once the start-up is over.
    reg  started_q;
    always @(posedge clk_i)
        if (rst_i)
            started_q <= 1'b0;
        else if (range_state_o == `EVG_FE_RANGE_IDLE)
            started_q <= 1'b1;

    wire [2:0] takes = queue_ready & ~(queue_last & push_q) & {3{started_q}};
    assign req_ready_o = takes & {takes[Non], takes[Non], 1'b1};

    // --- which head leaves -----------------------------------------------------------------------
    localparam [7:0] Turns = TurnLimit[7:0];

    reg        dram_valid_q, act_q; // act_q: what is at dram_* has left just now, with an action
    wire       dram_free = !dram_valid_q || dram_ready_i;
    wire [2:0] room, aged, ready, can;
    reg        after_cpu_q; // the last head that went first for its turns was a CPU one

    assign ready = (pass | (blocked & released)) & room & (head_error | {3{dram_free}}) &
                   ~head_stopped;
    assign can   = ready & ~(head_uses & {3{act_q}});
    assign leave = aged[Gpu] && (after_cpu_q || !aged[Cpu]) ? 3'b100
                 : aged[Cpu] ? 3'b010
                 : can & (~can + 3'd1); // the lowest

    always @(posedge clk_i)
        if (rst_i)
            after_cpu_q <= 1'b0;
        else if (aged != 0)
            after_cpu_q <= leave[Cpu];

    generate
        for (g = 1; g < 3; g = g + 1) begin : g_turns
            reg [7:0] turns_q; // departures that passed the head while it was ready

            always @(posedge clk_i)
                if (rst_i || leave[g])
                    turns_q <= 8'd0;
                else if (ready[g] && can != 0 && turns_q != Turns)
                    turns_q <= turns_q + 8'd1;

            assign aged[g] = can[g] && turns_q == Turns;
        end
    endgenerate
    assign aged[Non] = 1'b0;

    wire [EntryBits-1:0] chosen = leave[Cpu] ? head[Cpu*EntryBits+:EntryBits]
                                : leave[Gpu] ? head[Gpu*EntryBits+:EntryBits]
                                             : head[Non*EntryBits+:EntryBits];
    wire                 leaves  = can != 0;
    wire                 error   = (leave & head_error) != 0;
    wire                 to_dram = leaves && !error;

    // --- memory side -----------------------------------------------------------------------------
    wire [ReplyDepthLog2+1:0]   tag;
    wire [`EVG_FE_STATUS_WIDTH-1:0] status =
        error ? `EVG_FE_STATUS_ERROR
              : (leave & blocked) != 0 ? `EVG_FE_STATUS_RELEASED : `EVG_FE_STATUS_OK;
    wire                        reply_quiet;

    always @(posedge clk_i)
        if (rst_i) begin
            dram_valid_q <= 1'b0;
            act_q        <= 1'b0;
        end else begin
            act_q <= (leave & head_acts) != 0;
            if (to_dram)
                dram_valid_q <= 1'b1;
            else if (dram_ready_i)
                dram_valid_q <= 1'b0;
        end

    reg [LineBits-1:0]       line_q;
    reg [Words-1:0]          mask_q;
    reg                      source_q, write_q, fill_q, error_q;
    reg [IdBits-1:0]         id_q;
    reg [ReplyDepthLog2+1:0] tag_q;

    always @(posedge clk_i) begin
        error_q <= !rst_i && error;
        if (to_dram) begin
            line_q   <= chosen[LineLsb+:LineBits];
            mask_q   <= chosen[MaskLsb+:Words];
            source_q <= chosen[SourceLsb];
            write_q  <= chosen[WriteLsb];
            fill_q   <= chosen[ActionLsb+:2] == `EVG_FE_ACTION_FILL;
            id_q     <= chosen[IdLsb+:IdBits];
            tag_q    <= tag;
        end
    end

    // --- the action of what has just left --------------------------------------------------------
    wire [1:0]         queue = tag_q[ReplyDepthLog2+:2];
    wire [RowBits-1:0] row   = line_q[RowBits-1:0] - Base[RowBits-1:0];
    wire [Words-1:0]   old   = queue == Cpu ? head_bits[Cpu*Words+:Words]
                             : queue == Gpu ? head_bits[Gpu*Words+:Words]
                                            : head_bits[Non*Words+:Words];

    assign bits_write = range_write || act_q;
    assign bits_row   = range_write ? range_row : row;
    assign bits_new   = range_write ? range_bits : fill_q ? old | mask_q : old & ~mask_q;

    fe_reply_order #(
        .Depth(ReplyDepth), .DepthLog2(ReplyDepthLog2),
        .Width(IdBits + 1 + `EVG_FE_STATUS_WIDTH)
    ) u_replies (
        .clk_i(clk_i), .rst_i(rst_i), .enter_i(leave), .enter_done_i(error),
        .enter_data_i({status, chosen[SourceLsb], chosen[IdLsb+:IdBits]}), .enter_tag_o(tag),
        .room_o(room), .answer_i(answer_valid_i), .answer_tag_i(answer_tag_i),
        .rsp_valid_o(rsp_valid_o), .rsp_queue_o(rsp_queue_o),
        .rsp_data_o({rsp_status_o, rsp_source_o, rsp_id_o}), .rsp_ready_i(rsp_ready_i),
        .quiet_o(reply_quiet)
    );

    // --- registers -------------------------------------------------------------------------------
    wire registers_quiet;
    reg  lost_q;

    always @(posedge clk_i)
        lost_q <= !rst_i && bits_lost;

    fe_registers #(
        .Lines(RegionLines), .RegionBase(RegionBase), .RowBits(RowBits), .Words(Words),
        .GrainWords(GrainWords), .LookAhead(LookAhead), .WordBits(WordBits), .LineBits(LineBits),
        .InfoBits(InfoBits), .ErrorBits(ErrorBits)
    ) u_registers (
        .clk_i(clk_i), .rst_i(rst_i), .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i),
        .reg_addr_i(reg_addr_i), .reg_data_i(reg_data_i), .reg_ack_o(reg_ack_o),
        .reg_data_o(reg_data_o), .irq_o(irq_o), .range_start_o(range_start),
        .range_command_o(range_command), .range_first_o(range_first), .range_last_o(range_last),
        .range_busy_i(range_busy), .release_o(release_all), .releasing_i(releasing != 0),
        .head_valid_i(head_valid), .head_leaves_i(timed_leaves), .head_line_i(head_line),
        .head_mask_i(head_mask), .head_info_i(head_info),
        .error_i(error_q), .lost_i(lost_q), .quiet_o(registers_quiet)
    );

    assign dram_valid_o  = dram_valid_q;
    assign dram_line_o   = line_q;
    assign dram_mask_o   = mask_q;
    assign dram_source_o = source_q;
    assign dram_write_o  = write_q;
    assign dram_id_o     = id_q;
    assign dram_tag_o    = tag_q;
    assign quiet_o       = still == 3'b111 && push_q == 0 && !range_busy && started_q &&
                           !dram_valid_q && reply_quiet && registers_quiet;

`ifdef FORMAL
`include "fe_dram_scheduler.fv.vh"
`endif

endmodule

`default_nettype wire
