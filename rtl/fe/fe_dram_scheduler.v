// SPDX-License-Identifier: Apache-2.0
// fe_dram_scheduler: requests wait here until the words they name are full or empty (F/E 4.3, 6.3).
//
//   req_* -> fe_intake -> NON: fe_in_order ----------------> who leaves -> dram_* -> memory
//                         CPU: fe_in_order ---------------->     |  |
//                         GPU: fe_in_order or fe_look_ahead >    |  +-> action -> fe_bit_ram <- fe_range
//                                                                +-> fe_reply_order <- answers -> rsp_*
//
// Contract
// - A request names one line of LineBytes with a mask of its 4-byte words, a trigger (NONE, FULL, EMPTY),
//   an action (NONE, FILL, EMPTY), its source and an id. req_valid_i may be withdrawn; req_ready_o does
//   not depend on what is offered: bit 0 is for requests without a trigger, bit 1 for those with one
//   from the CPU, bit 2 from the GPU. While NON is full, none with a trigger is taken: it might turn
//   out to be an error.
// - Three queues of QueueDepth entries: NON (no trigger), CPU and GPU. Only their heads are looked at,
//   and of GPU its first LookAhead requests, each of which can leave past others that are blocked, but
//   not past one for the same line; "head" below means the oldest of them that can leave. A
//   trigger holds when all grains of which the mask has a word agree; an empty mask always agrees. A
//   blocked head is judged again only when its line is written (fe_head).
// - A bit stands for a grain of GrainBytes, 4 (F/E 4.2) to a line (F/E 9): fe_bit_ram defines when a
//   grain is full and keeps the words of part-full grains.
// - Region: RegionLines lines from register REGION_BASE on. Outside of it a request has no bits.
//
//     request                                          queue   memory   reply, register
//     no trigger                                       NON     yes      OK
//     trigger, in the region, holds                    own     yes      OK
//     ... does not, when RELEASE lets it go            own     yes      RELEASED
//     trigger, outside of the region                   NON     no       ERROR; ERRORS + 1
//     trigger or action 3                              NON     no       ERROR; ERRORS + 1
//
// - A request leaves in cycle t; in t and t+1 its trigger holds, and its bits change at the end of t+1,
//   then and only then. From an empty scheduler (in a GPU queue with several heads 2, and 1, later):
//
//     cycle                                          t    t+1  t+2  t+3  t+4  t+5
//     taken; no trigger, no action: dram_valid_o     req  -    -    DRAM
//     ... action:                                    req  -    look -    DRAM (bits written at its end)
//     ... trigger that holds:                        req  -    look -    -    DRAM
//     blocked head; the request that left in t-1
//     fills its word (act in t):                     act  -    DRAM
//
// - dram_* is held until dram_ready_i. One request leaves per cycle at most, of one queue one every
//   second cycle, and of those with an action too.
// - A head is ready if its trigger holds or it is released, its queue has one of ReplyDepth places free,
//   dram_* is free or being taken (an error does not need it), and no range command stands against it:
//   with an action, none that works on a row; with a trigger, none that writes in this cycle. A ready
//   head can leave, but for one with a trigger or an action in the cycle after one with an action.
// - Of heads that can leave, NON goes first, then CPU, then GPU, but for one that has aged (fe_choice).
//   So, counting cycles in which it could leave, a head is passed by at most
//
//     NON, no action              2
//     NON, action                 2, between two rows of a range command
//     CPU, GPU                    TurnLimit + 1; TurnLimit + 3 if cycles held back by actions count, too
//     ... while FILL or EMPTY     4 (TurnLimit + 2), as only one cycle of 4 is sure to be open to all
//
// - Memory answers each request it got with its dram_tag_o, in any order, at the earliest in the cycle in
//   which it takes it; one answer per cycle is always taken. Memory must perform requests for one line
//   in the order in which they left. Replies come in the order in which the requests left their queue
//   (fe_reply_order); a reply's place is free again once it is shown.
// - After reset all bits are filled, one line per cycle; req_ready_o is 0 for these RegionLines cycles
//   and one more.
// - The bit RAM is read by one at a time: a range command, NON, CPU, GPU, in this order. An action and a
//   range command that meet: the range writes first.
// - RELEASE, written in cycle t, lets every triggered request taken up to t-1 leave in its turn whether
//   its trigger holds or not; its action is done. Registers: fe_registers; ranges: fe_range.
// - Illegal: an answer to a tag that memory does not have.
// - quiet_o: nothing is inside but blocked heads without time-out and requests that are in memory;
//   without a request, an answer or a register access no register changes.
`default_nettype none
`include "evgpu_defs.vh"
`ifdef FORMAL
`include "properties/follow.fv.vh"
`endif

module fe_dram_scheduler #(
    parameter LineBytes      = `EVG_FE_LINE_BYTES,   // power of two, 8 to 128
    parameter GrainBytes     = `EVG_FE_GRAIN_BYTES,  // per full/empty bit: power of two, 4 to LineBytes
    parameter PartLines      = `EVG_FE_PART_LINES,   // power of two, 2 up to RegionLines; not with 4
    parameter RegionBase     = `EVG_FE_REGION_BASE,  // of REGION_BASE after reset: a multiple of RegionLines
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

    generate
        if (LineBytes < 8 || LineBytes > 128 || (1 << $clog2(LineBytes)) != LineBytes ||
            Words * `EVG_FE_WORD_BYTES != LineBytes || RegionLines < 2 || LineBits > 32 ||
            RowBits >= LineBits || IdBits < 1 || IdBits > 16 || GrainWords < 1 || GrainWords > Words ||
            GrainWords * `EVG_FE_WORD_BYTES != GrainBytes) begin : g_check
            fe_dram_scheduler_needs_lines_of_8_to_128_bytes_and_fields_that_fit check_parameters ();
        end
    endgenerate

    // --- intake ----------------------------------------------------------------------------------
    // Fields of a queue entry, as fe_intake makes them
    localparam LineLsb = 0, MaskLsb = LineLsb + LineBits, IdLsb = MaskLsb + Words,
               TriggerLsb = IdLsb + IdBits, ActionLsb = TriggerLsb + 2, SourceLsb = ActionLsb + 2,
               WriteLsb = SourceLsb + 1, BitsLsb = WriteLsb + 1, ErrorLsb = BitsLsb + 1,
               EntryBits = ErrorLsb + 1;

    wire [2:0]                  push; // what was taken enters its queue in the next cycle
    wire [EntryBits-1:0]        entry;
    wire                        taken;
    wire [LineBits-RowBits-1:0] region;

    fe_intake #(
        .RegionLines(RegionLines), .RowBits(RowBits), .LineBits(LineBits), .Words(Words),
        .IdBits(IdBits)
    ) u_intake (
        .clk_i(clk_i), .rst_i(rst_i), .req_valid_i(req_valid_i), .req_line_i(req_line_i),
        .req_mask_i(req_mask_i), .req_trigger_i(req_trigger_i), .req_action_i(req_action_i),
        .req_source_i(req_source_i), .req_write_i(req_write_i), .req_id_i(req_id_i),
        .ready_i(req_ready_o), .region_i(region), .taken_o(taken), .push_o(push), .entry_o(entry)
    );

    // --- queues and their heads ------------------------------------------------------------------
    localparam InfoBits = `EVG_FE_INFO_ACTION + 2;

    wire [2:0]             queue_ready, queue_last, head_valid, head_error, leave;
    wire [2:0]             head_acts, head_uses, head_stopped; // stopped: by a range command
    wire [2:0]             shown;  // item is one that could leave; with one head, if there is one
    wire                   unused_shown = ^shown; // but in proofs
    wire [2:0]             timed_leaves, releasing, still;
    wire [3*EntryBits-1:0] head;
    wire [3*RowBits-1:0]   look_row;
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
    `EVG_FOLLOW_ONE(f_row, RowBits) // the row of the region that the properties are about
    wire [Words-1:0] f_bits;
    wire             f_follow, f_held, f_sent; // a reply: fe_reply_order
    wire [ReplyDepthLog2+1:0]             f_tag;
    wire [IdBits+`EVG_FE_STATUS_WIDTH:0]  f_data;
    wire [23:0]      f_turns; // fe_choice
    wire             f_after_cpu;
`endif

    genvar g;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_queue
            wire [EntryBits-1:0]    item, timed; // the head; the one whose time runs out
            wire [15:0]             id;
`ifdef FORMAL_CONTENT
            localparam F_Places = QueueDepth + (g == Gpu && LookAhead != 1 ? LookAhead : 0);
            wire [F_Places*EntryBits-1:0] f_content;
            wire [F_Places-1:0]           f_there;
`endif

            assign head[g*EntryBits+:EntryBits]    = item;
            assign head_line[g*LineBits+:LineBits] = timed[LineLsb+:LineBits];
            assign head_mask[g*Words+:Words]       = timed[MaskLsb+:Words];
            assign id = {{16 - IdBits{1'b0}}, timed[IdLsb+:IdBits]};
            assign head_info[g*InfoBits+:InfoBits] = {timed[ActionLsb+:2], timed[TriggerLsb+:2],
                                                      timed[WriteLsb], timed[SourceLsb], g[1:0], id};

            if (g != Gpu || LookAhead == 1) begin : g_plain
                fe_in_order #(
                    .Triggered(g != Non ? 1 : 0), .Width(EntryBits), .Depth(QueueDepth),
                    .DepthLog2(QueueDepthLog2), .RowBits(RowBits), .Words(Words),
                    .GrainWords(GrainWords), .PartLines(PartLines), .LineLsb(LineLsb),
                    .MaskLsb(MaskLsb), .TriggerLsb(TriggerLsb), .ActionLsb(ActionLsb),
                    .BitsLsb(BitsLsb), .ErrorLsb(ErrorLsb)
                ) u_order (
                    .clk_i(clk_i), .rst_i(rst_i), .push_i(push[g]), .data_i(entry),
                    .ready_o(queue_ready[g]), .last_o(queue_last[g]), .valid_o(head_valid[g]),
                    .data_o(item), .error_o(head_error[g]), .acts_o(head_acts[g]),
                    .uses_o(head_uses[g]), .stopped_o(head_stopped[g]), .pass_o(pass[g]),
                    .blocked_o(blocked[g]), .released_o(released[g]), .leave_i(leave[g]),
                    .row_bits_o(head_bits[g*Words+:Words]),
                    .state_o(head_state_o[g*`EVG_FE_HEAD_WIDTH+:`EVG_FE_HEAD_WIDTH]),
                    .next_write_i(range_next_write), .next_hold_i(range_next_hold),
                    .release_i(release_all), .look_o(look[g]),
                    .look_row_o(look_row[g*RowBits+:RowBits]), .look_grant_i(look_grant[g]),
                    .ram_bits_i(ram_bits), .write_i(bits_write), .write_row_i(bits_row),
                    .write_bits_i(bits_new), .write_mixed_i(bits_mixed),
`ifdef FORMAL_CONTENT
                    .f_content_o(f_content), .f_there_o(f_there),
`endif
                    .still_o(still[g])
                );
                assign timed           = item;
                assign shown[g]        = head_valid[g];
                assign timed_leaves[g] = leave[g];
                assign releasing[g]    = released[g];
            end else begin : g_ahead
                reg held_q, written_q; // by a range command
                always @(posedge clk_i) begin
                    held_q    <= range_next_hold;
                    written_q <= range_next_write;
                end
                assign head_error[g]   = 1'b0;
                assign head_uses[g]    = 1'b1;
                assign head_stopped[g] = (head_acts[g] && held_q) || written_q;

                fe_look_ahead #(
                    .Width(EntryBits), .Depth(QueueDepth), .DepthLog2(QueueDepthLog2),
                    .LookAhead(LookAhead), .RowBits(RowBits), .Words(Words),
                    .GrainWords(GrainWords), .PartLines(PartLines), .LineLsb(LineLsb),
                    .MaskLsb(MaskLsb), .TriggerLsb(TriggerLsb), .ActionLsb(ActionLsb)
                ) u_look_ahead (
                    .clk_i(clk_i), .rst_i(rst_i), .push_i(push[g]), .data_i(entry),
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
`ifdef FORMAL_CONTENT
                    .f_content_o(f_content), .f_there_o(f_there),
`endif
                    .still_o(still[g])
                );
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

    wire [2:0] takes = queue_ready & ~(queue_last & push) & {3{started_q}};
    assign req_ready_o = takes & {takes[Non], takes[Non], 1'b1};

    // --- which head leaves -----------------------------------------------------------------------
    wire       dram_free, act, fill; // act: what is at dram_* has left just now, with an action
    wire [2:0] room, ready, can;
    wire       unused_choice = ^{ready, can}; // but in waveforms and proofs

    fe_choice #(.TurnLimit(TurnLimit)) u_choice (
        .clk_i(clk_i), .rst_i(rst_i), .pass_i(pass), .blocked_i(blocked), .released_i(released),
        .room_i(room), .error_i(head_error), .stopped_i(head_stopped), .uses_i(head_uses),
`ifdef FORMAL
        .f_turns_o(f_turns), .f_after_cpu_o(f_after_cpu),
`endif
        .free_i(dram_free), .act_i(act), .ready_o(ready), .can_o(can), .leave_o(leave)
    );

    wire [EntryBits-1:0] chosen = leave[Cpu] ? head[Cpu*EntryBits+:EntryBits]
                                : leave[Gpu] ? head[Gpu*EntryBits+:EntryBits]
                                             : head[Non*EntryBits+:EntryBits];
    wire                 error   = (leave & head_error) != 0;
    wire                 to_dram = (leave & ~head_error) != 0; // one leaves at most

    // --- memory side -----------------------------------------------------------------------------
    wire [ReplyDepthLog2+1:0]   tag;
    wire [`EVG_FE_STATUS_WIDTH-1:0] status =
        error ? `EVG_FE_STATUS_ERROR
              : (leave & blocked) != 0 ? `EVG_FE_STATUS_RELEASED : `EVG_FE_STATUS_OK;
    wire                        reply_quiet;

    reg                         error_q;

    always @(posedge clk_i)
        error_q <= !rst_i && error;

    fe_departure #(
        .LineBits(LineBits), .Words(Words), .IdBits(IdBits), .TagBits(ReplyDepthLog2 + 2)
    ) u_departure (
        .clk_i(clk_i), .rst_i(rst_i), .leave_i(to_dram), .acts_i((leave & head_acts) != 0),
        .line_i(chosen[LineLsb+:LineBits]), .mask_i(chosen[MaskLsb+:Words]),
        .action_i(chosen[ActionLsb+:2]), .source_i(chosen[SourceLsb]),
        .write_i(chosen[WriteLsb]), .id_i(chosen[IdLsb+:IdBits]), .tag_i(tag),
        .free_o(dram_free), .act_o(act), .fill_o(fill), .dram_valid_o(dram_valid_o),
        .dram_line_o(dram_line_o), .dram_mask_o(dram_mask_o), .dram_source_o(dram_source_o),
        .dram_write_o(dram_write_o), .dram_id_o(dram_id_o), .dram_tag_o(dram_tag_o),
        .dram_ready_i(dram_ready_i)
    );

    // --- the action of what has just left --------------------------------------------------------
    wire [1:0]         queue = dram_tag_o[ReplyDepthLog2+:2];
    wire [RowBits-1:0] row   = dram_line_o[RowBits-1:0];
    wire [Words-1:0]   old   = queue == Cpu ? head_bits[Cpu*Words+:Words]
                             : queue == Gpu ? head_bits[Gpu*Words+:Words]
                                            : head_bits[Non*Words+:Words];

    assign bits_write = range_write || act;
    assign bits_row   = range_write ? range_row : row;
    assign bits_new   = range_write ? range_bits : fill ? old | dram_mask_o : old & ~dram_mask_o;

    fe_reply_order #(
        .Depth(ReplyDepth), .DepthLog2(ReplyDepthLog2),
        .Width(IdBits + 1 + `EVG_FE_STATUS_WIDTH)
    ) u_replies (
        .clk_i(clk_i), .rst_i(rst_i), .enter_i(leave), .enter_done_i(error),
        .enter_data_i({status, chosen[SourceLsb], chosen[IdLsb+:IdBits]}), .enter_tag_o(tag),
        .room_o(room), .answer_i(answer_valid_i), .answer_tag_i(answer_tag_i),
        .rsp_valid_o(rsp_valid_o), .rsp_queue_o(rsp_queue_o),
        .rsp_data_o({rsp_status_o, rsp_source_o, rsp_id_o}), .rsp_ready_i(rsp_ready_i),
`ifdef FORMAL
        .f_follow_o(f_follow), .f_held_o(f_held), .f_tag_o(f_tag), .f_data_o(f_data),
        .f_sent_o(f_sent),
`endif
        .quiet_o(reply_quiet)
    );

    // --- registers -------------------------------------------------------------------------------
    wire registers_quiet;
    reg  lost_q;

    // Not of what was read at the last edge of a reset
    always @(posedge clk_i)
        lost_q <= !rst_i && started_q && bits_lost;

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
        .error_i(error_q), .lost_i(lost_q), .taken_i(taken), .region_o(region),
        .quiet_o(registers_quiet)
    );

    assign quiet_o       = still == 3'b111 && push == 0 && !range_busy && started_q &&
                           !dram_valid_o && reply_quiet && registers_quiet;

`ifdef FORMAL
`include "properties/fe_dram_scheduler.fv.vh"
`endif

endmodule

`default_nettype wire
